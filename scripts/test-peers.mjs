// Tests against other projects' implementations of the protocols that we speak, and in their runtimes. They come as
// Debian packages: as root the script installs them, otherwise it names the missing ones. Nothing is skipped.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const PACKAGES = [
  "tshark",
  "libnet-smpp-perl",
  "sip-tester",
  "kamailio",
  "kamailio-tls-modules",
  "kannel",
  "baresip",
  "libnet-sip-perl",
  "secsipidx",
  "openssl",
  "chromium",
  "prometheus",
  "postgresql-15",
  "pgbouncer",
  "python3-twilio",
  "patroni",
  "python3-etcd",
  "etcd-server",
  "haproxy"
]

const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: fileURLToPath(new URL("..", import.meta.url)), stdio: "inherit", ...options })

const isInstalled = (name) => {
  const { status, stdout } = run("dpkg-query", ["-W", "-f", "${Status}", name], { stdio: "pipe" })
  return status === 0 && String(stdout).endsWith(" installed")
}

const missing = () => PACKAGES.filter((name) => !isInstalled(name))

if (missing().length > 0 && process.getuid?.() === 0) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  run("apt-get", ["update", "-q"], { env })
  run("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...missing()], { env })
}
if (missing().length > 0) {
  console.error(`The tests against peers need these Debian packages: ${missing().join(" ")}.`)
  console.error(`Install them with: apt-get install ${missing().join(" ")}`)
  process.exit(1)
}
// Debian keeps servers where few but root look for programs.
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
process.exit(run("vitest", ["run", "--config", "vitest.peers.config.ts"], { env }).status ?? 1)
