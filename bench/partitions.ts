/**
 * The cost of weekly partitions for steps on PostgreSQL: a table such as `deliveries` whose rows are inserted, locked
 * and updated by functions with generic plans, as steps use them. Measured without partitions and with several numbers
 * of partitions, in turn, on one connection; the figure is its process's CPU time per row.
 *
 * At each call, a generic plan locks every partition and all of its indexes, including the ones it does not read.
 *
 * `npm run bench -- partitions [--rows=4000] [--rounds=3] [--json[=file]]`
 */
import { firstUlid } from "@watchword/schemas/Ids"
import { Client } from "pg"
import { start } from "../test/PostgresServer.ts"
import { cpuOf } from "./support/processes.ts"
import { figure, machineLine, median, numberOption, say, table, writeJson } from "./support/report.ts"

const ROWS = numberOption("rows", 4_000)
const ROUNDS = numberOption("rounds", 3)
const BATCHES = [1, 3, 50, 140]
const PARTITIONS = [0, 1, 4, 53]
const WEEK = 7 * 24 * 60 * 60 * 1000
const now = Date.now()

/** The planner settings of steps. */
const FUNCTION = `LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
  SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET random_page_cost = 0 SET jit = off AS`

const columns = `id text COLLATE "C" NOT NULL, account integer NOT NULL, recipient text COLLATE "C" NOT NULL,
  phase smallint NOT NULL, status text COLLATE "C" NOT NULL, price bigint NOT NULL, created_at bigint NOT NULL,
  details jsonb NOT NULL, owner text COLLATE "C" NOT NULL, PRIMARY KEY (id)`

/** The bounds of a partition; the last partition takes the new rows. */
const boundsOf = (n: number, count: number): string => {
  const week = (weeks: number): string => `'${firstUlid(now - weeks * WEEK - WEEK / 2)}'`
  const from = n === 0 ? "MINVALUE" : week(count - 1 - n)
  return `FROM (${from}) TO (${n === count - 1 ? "MAXVALUE" : week(count - 2 - n)})`
}

const tableOf = (t: string, count: number): string => `
CREATE TABLE ${t} (${columns}) ${count === 0 ? "" : "PARTITION BY RANGE (id)"};
CREATE INDEX ON ${t} (account, created_at, id, status);
CREATE INDEX ON ${t} (account, (created_at / ${WEEK}), recipient, created_at);
CREATE INDEX ON ${t} (phase, created_at, id) WHERE phase < 2;
${Array.from({ length: count }, (_, n) => `CREATE TABLE ${t}_${n} PARTITION OF ${t} FOR VALUES ${boundsOf(n, count)};`).join("\n")}
CREATE FUNCTION open_${t}(p json) RETURNS void ${FUNCTION} $$ BEGIN
  INSERT INTO ${t} SELECT e ->> 0, (e ->> 1)::integer, e ->> 2, 0, 'sent', 50000, (e ->> 3)::bigint, '{"text": "x"}', 'me'
  FROM json_array_elements(p) e ORDER BY 1;
END $$;
CREATE FUNCTION close_${t}(p json) RETURNS void ${FUNCTION} $$ BEGIN
  PERFORM FROM json_array_elements(p) e JOIN ${t} d ON d.id = e ->> 0 ORDER BY d.id FOR UPDATE OF d;
  UPDATE ${t} d SET phase = 2, status = 'delivered' FROM json_array_elements(p) e WHERE d.id = e ->> 0;
END $$;
`

const server = await start({ settings: { max_locks_per_transaction: "256" } })
const client = new Client(server.url)
try {
  await client.connect()
  await client.query("SET synchronous_commit = off")
  for (const count of PARTITIONS) await client.query(tableOf(`d${count}`, count))
  const { rows } = await client.query<{ readonly pid: number }>("SELECT pg_backend_pid() AS pid")
  const pid = rows[0]?.pid ?? 0

  let made = 0
  const newRow = () => {
    const id = firstUlid(now + 1_000).slice(0, 16) + String(++made).padStart(10, "0")
    return [id, made % 100, `+4915${made}`, now] as const
  }
  /** Microseconds of CPU per row. */
  const measured = async (count: number, batch: number): Promise<number> => {
    const calls = Math.ceil(ROWS / batch)
    const before = cpuOf(pid)
    for (let n = 0; n < calls; n++) {
      const values = [JSON.stringify(Array.from({ length: batch }, newRow))]
      await client.query({ name: `open ${count}`, text: `SELECT open_d${count}($1)`, values })
      await client.query({ name: `close ${count}`, text: `SELECT close_d${count}($1)`, values })
    }
    return (cpuOf(pid) - before) / (calls * batch)
  }

  const results = []
  for (const batch of BATCHES) {
    const found = PARTITIONS.map((count) => ({ count, costs: new Array<number>() }))
    for (let round = 0; round <= ROUNDS; round++) {
      for (const { costs, count } of found) {
        const cost = await measured(count, batch)
        // The first round warms up.
        if (round > 0) costs.push(cost)
      }
    }
    results.push({ batch, micros: found.map(({ costs }) => median(costs)) })
  }

  say(`${machineLine()}; CPU of PostgreSQL for a row that is opened and closed, µs`)
  say(
    table(
      ["rows a call", ...PARTITIONS.map((count) => (count === 0 ? "no partitions" : String(count)))],
      results.map(({ batch, micros }) => [
        String(batch),
        ...micros.map((each) => `${figure(each)} (${(each / (micros[0] ?? each)).toFixed(2)})`)
      ])
    )
  )
  writeJson({ partitions: PARTITIONS, results })
} finally {
  await client.end()
  await server.stop()
}
