/**
 * Programs of other projects that call us, and sign their calls.
 */
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { type Program, freePort, settingsOfBaresip, start } from "./programs.ts"

/** sipp as callers of a number, one after the other; its exit code is 0 when all of them went as the scenario says. */
export const startCallers = async (
  folder: string,
  scenario: string,
  { calls = 1, number, port, transport = "udp" }: Calling
): Promise<Program> => {
  const own = await freePort()
  const name = join(folder, `callers-${own}.xml`)
  await writeFile(name, scenario)
  return start("sipp", [
    "-sf",
    name,
    "-s",
    number,
    "-i",
    "127.0.0.1",
    "-p",
    String(own),
    "-m",
    String(calls),
    "-r",
    "200",
    "-nostdin",
    "-t",
    transport === "tcp" ? "t1" : "u1",
    "-timeout",
    "20",
    "-timeout_error",
    "-trace_err",
    "-error_file",
    join(folder, `errors-${own}.log`),
    `127.0.0.1:${port}`
  ])
}

export interface Calling {
  readonly number: string
  /** The port of 127.0.0.1 that is called. */
  readonly port: number
  readonly calls?: number
  readonly transport?: "udp" | "tcp"
}

/** Net::SIP as a caller, which prints the final status. */
export const callByNetSip = async ({ number, port }: Calling, from: string): Promise<Program> =>
  start("perl", ["-MNet::SIP", "-e", PERL, from, number, String(port), String(await freePort())])

const PERL = `
my ($from, $number, $port, $own) = @ARGV;
my $done;
my $ua = Net::SIP::Simple->new(from => "sip:$from\\@127.0.0.1", legs => ["127.0.0.1:$own"]);
my $call = $ua->invite("sip:$number\\@127.0.0.1:$port", cb_final => sub {
  my ($status, $call, %info) = @_;
  print "final $status $info{code}\\n";
  $done = 1;
}) or die $ua->error;
$ua->loop(15, \\$done);`

/** secsipidx as a carrier that signs a caller's number: the value of Identity. */
export const signBySecsipidx = async (key: string, { dest, orig, x5u }: Signing): Promise<string> => {
  const claims = ["-orig-tn", orig, "-dest-tn", dest, "-attest", "A", "-orig-id", randomUUID()]
  const { stdout } = await promisify(execFile)("secsipidx", ["-sign-full", ...claims, "-x5u", x5u, "-k", key])
  return stdout.trim()
}

export interface Signing {
  readonly orig: string
  readonly dest: string
  /** The address of the certificate. */
  readonly x5u: string
}

/** baresip as a telephone that calls a number. */
export const callByBaresip = async (folder: string, { number, port }: Calling, from: string): Promise<Program> => {
  const { home } = await settingsOfBaresip(folder, from)
  return start("baresip", ["-f", home, "-s", "-e", `/dial sip:${number}@127.0.0.1:${port}`])
}
