/**
 * The message centre as the carrier of another project's client, Perl's Net::SMPP. That of npm's `smpp` is in
 * test/smsc.
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { receipt, smsc } from "@watchword/sandbox/smsc"
import { expect, it, onTestFinished } from "vitest"

const run = promisify(execFile)

const PERL = `
use strict;
use Net::SMPP;
my ($port) = @ARGV;
my ($other, $refusal) = Net::SMPP->new_transmitter("127.0.0.1", port => $port, system_id => "other", password => "x");
print "bind $refusal->{status}\\n";
my $smpp = Net::SMPP->new_transceiver("127.0.0.1", port => $port, system_id => "perl", password => "x") or die "no bind";
my $submit = sub {
  my $answer = $smpp->submit_sm(source_addr => "Perl", destination_addr => "4915123456789", registered_delivery => 1, @_)
    or die "no answer";
  print "status $answer->{status}\\n";
  return $answer->{message_id};
};
$submit->(short_message => "Your code is 111111");
my $id = $submit->(short_message => "Your code is 222222");
my $receipt = $smpp->read_pdu() or die "no receipt";
$smpp->deliver_sm_resp(message_id => "", seq => $receipt->{seq});
print "receipt from $receipt->{source_addr} of $id: $receipt->{short_message}\\n";
my $alive = $smpp->enquire_link() or die "no answer";
print "alive $alive->{status}\\n";
my $unbound = $smpp->unbind() or die "no answer";
print "unbound $unbound->{status}\\n";
`

it("a message centre refuses a bind, throttles, takes texts and reports to Net::SMPP", async () => {
  const THROTTLED = 0x58
  const statuses: Array<number | null> = []
  const carrier = await smsc({
    script: {
      bind: ({ fields }) => (fields["system_id"] === "perl" ? 0 : 0x0d),
      submit: ({ text }) => (text.endsWith("111111") ? { status: THROTTLED } : { id: "7f", after: 10 }),
      receipt: (submit) => receipt(submit, "UNDELIV", 10),
      acknowledged: (_submit, status) => statuses.push(status)
    }
  })
  onTestFinished(() => carrier[Symbol.asyncDispose]())
  const { stdout } = await run("perl", ["-e", PERL, String(carrier.port)], { timeout: 20_000 })
  expect(stdout.split("\n")).toEqual([
    "bind 13",
    `status ${THROTTLED}`,
    "status 0",
    expect.stringMatching(/^receipt from 4915123456789 of 7f: id:7f .*stat:UNDELIV/),
    "alive 0",
    "unbound 0",
    ""
  ])
  expect(carrier.submits.map(({ from, text, to }) => [from, to, text])).toEqual([
    ["Perl", "4915123456789", "Your code is 111111"],
    ["Perl", "4915123456789", "Your code is 222222"]
  ])
  expect(statuses).toEqual([0])
})
