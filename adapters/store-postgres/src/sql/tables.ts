import { FINE_WIDTH, WEEK, WIDTH, isReferable } from "@watchword/store/sql"

/**
 * The tables of a store.
 *
 * - A partition holds the deliveries of an account in one mode on one channel; `accounts.n` and the numbers of modes
 *   and channels (`Partitions` of `@watchword/store/sql`) stand for their names. A delivery's `phase` is 0 pending, 1
 *   unknown, 2 accepted, 3 rejected, 4 refunded: below 2 it is open. Its `owner` is the process that sends it.
 * - `listed_at` is the time of the default order of lists, see {@link listedAt}.
 * - `counts` has the number of records of a partition in each status and each bucket of `listed_at`, for buckets of two
 *   widths, see `WIDTH` of `@watchword/store/sql`. A count of zero is removed.
 * - `deliveries_by_recipient` begins with the week, so that inserts stay at its end, see `planOf` of
 *   `@watchword/store/sql`.
 * - An entry is found by its account and its place in the account's ledger. Only credits and debits have stored ids;
 *   the other ids are computed from the row, see `entryIdOf` of `@watchword/store/sql`.
 * - A row of `parts` without a delivery is a placeholder: it makes the step that adds a ref wait for the step that
 *   keeps an unmatched report under it, and the other way around.
 * - `watch` has the endpoints and the version of a watched delivery. The step engine makes its events.
 * - Settings of the installation have account 0.
 * - Texts are compared by code points, whatever the language of the database.
 */
export const tables = (s: string): string => `
CREATE TABLE ${s}.accounts (
  n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  caller text,
  sms_sender text,
  sender_username text,
  min_ring integer NOT NULL,
  max_ring integer NOT NULL,
  store_text boolean NOT NULL,
  originators jsonb NOT NULL,
  suspended_at bigint,
  created_at bigint NOT NULL,
  changed_at bigint,
  available bigint NOT NULL CHECK (available >= 0),
  held bigint NOT NULL CHECK (held >= 0),
  entries bigint NOT NULL
) WITH (fillfactor = 20);
CREATE INDEX accounts_changed ON ${s}.accounts (changed_at) WHERE changed_at IS NOT NULL;

CREATE TABLE ${s}.keys (
  id text COLLATE "C" PRIMARY KEY,
  account integer NOT NULL REFERENCES ${s}.accounts (n),
  mode smallint NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE,
  prefix text NOT NULL,
  last_four text NOT NULL,
  scopes jsonb,
  allow jsonb NOT NULL,
  expires_at bigint,
  created_at bigint NOT NULL,
  revoked_at bigint,
  last_used_at bigint
);
CREATE INDEX keys_of_account ON ${s}.keys (account);
CREATE INDEX keys_revoked ON ${s}.keys (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE TABLE ${s}.settings (
  account integer NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (account, name)
);

CREATE TABLE ${s}.entries (
  account integer NOT NULL,
  n bigint NOT NULL,
  given_id text COLLATE "C",
  delivery text COLLATE "C",
  kind smallint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text,
  at bigint NOT NULL,
  PRIMARY KEY (account, n)
);
CREATE UNIQUE INDEX entries_given_id ON ${s}.entries (given_id) WHERE given_id IS NOT NULL;

CREATE TABLE ${s}.deliveries (
  id text COLLATE "C" PRIMARY KEY,
  account integer NOT NULL,
  mode smallint NOT NULL,
  channel smallint NOT NULL,
  recipient text COLLATE "C" NOT NULL,
  sender text COLLATE "C",
  phase smallint NOT NULL,
  status text COLLATE "C" NOT NULL,
  rank integer NOT NULL,
  price bigint NOT NULL,
  parts integer NOT NULL,
  named integer NOT NULL,
  reference integer,
  created_at bigint NOT NULL,
  status_at bigint NOT NULL,
  due_at bigint,
  details jsonb NOT NULL,
  owner text COLLATE "C" NOT NULL,
  watch jsonb,
  listed_at bigint NOT NULL GENERATED ALWAYS AS (${listedAt("channel", "status_at", "created_at")}) STORED
);
CREATE INDEX deliveries_listed ON ${s}.deliveries (account, mode, channel, listed_at, id, status);
CREATE INDEX deliveries_by_recipient ON ${s}.deliveries (account, mode, channel, ${bucket("listed_at", WEEK)}, recipient, listed_at);
CREATE INDEX deliveries_open ON ${s}.deliveries (phase, created_at, id) WHERE phase < 2;
CREATE INDEX deliveries_due ON ${s}.deliveries (channel, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_referred ON ${s}.deliveries (reference, recipient) WHERE ${isReferable()};

CREATE TABLE ${s}.processes (
  id text COLLATE "C" PRIMARY KEY,
  until bigint NOT NULL
);

CREATE TABLE ${s}.counts (
  account integer NOT NULL,
  mode smallint NOT NULL,
  channel smallint NOT NULL,
  width integer NOT NULL,
  bucket integer NOT NULL,
  status text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (account, mode, channel, width, bucket, status)
) WITH (fillfactor = 50);
CREATE INDEX counts_of_status ON ${s}.counts (channel, status) WHERE width = ${WIDTH};

CREATE TABLE ${s}.claims (
  account integer NOT NULL,
  mode smallint NOT NULL,
  key text COLLATE "C" NOT NULL,
  delivery text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  held_until smallint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (account, mode, key)
);
CREATE INDEX claims_expiring ON ${s}.claims (expires_at);

CREATE TABLE ${s}.parts (
  channel smallint NOT NULL,
  ref text COLLATE "C" NOT NULL,
  delivery text COLLATE "C",
  name text COLLATE "C",
  PRIMARY KEY (channel, ref)
);
CREATE INDEX parts_of_delivery ON ${s}.parts (delivery) WHERE delivery IS NOT NULL;

CREATE TABLE ${s}.part_reports (
  delivery text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  part text COLLATE "C" NOT NULL,
  PRIMARY KEY (delivery, status, part)
);

CREATE TABLE ${s}.unmatched_reports (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel smallint NOT NULL,
  refs text[] COLLATE "C" NOT NULL,
  recipient text COLLATE "C",
  reference integer,
  status text COLLATE "C",
  rank integer,
  details jsonb NOT NULL,
  conditions jsonb NOT NULL,
  every_part boolean NOT NULL,
  refund boolean NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX unmatched_reports_at ON ${s}.unmatched_reports (at);
CREATE INDEX unmatched_reports_of_channel ON ${s}.unmatched_reports (channel, at, n);

CREATE TABLE ${s}.unmatched_refs (
  channel smallint NOT NULL,
  ref text COLLATE "C" NOT NULL,
  report bigint NOT NULL,
  PRIMARY KEY (channel, ref, report)
);

${unsampled(s)}`

/**
 * The columns that may contain personal data. Otherwise the planner's statistics would keep samples of them after their
 * rows are gone.
 */
const PERSONAL: Readonly<Record<string, ReadonlyArray<string>>> = {
  deliveries: ["recipient", "sender", "details"],
  claims: ["key", "fingerprint"],
  parts: ["ref", "name"],
  part_reports: ["part"],
  unmatched_reports: ["refs", "recipient", "details"],
  unmatched_refs: ["ref"],
  settings: ["name", "value"]
}

const unsampled = (s: string): string =>
  Object.entries(PERSONAL)
    .map(([table, columns]) => {
      const changes = columns.map((column) => `ALTER COLUMN ${column} SET STATISTICS 0`)
      return `ALTER TABLE ${s}.${table} ${changes.join(", ")};\n`
    })
    .join("")

/** The time that a record is listed by: the time of its status if the lowest bit of its channel's code is set. */
const listedAt = (channel: string, statusAt: string, createdAt: string): string =>
  `CASE WHEN ${channel} & 1 = 1 THEN ${statusAt} ELSE ${createdAt} END`

/** The bucket that contains a time. */
export const bucket = (time: string, width: number | string = WIDTH): string => `(${time} / ${width})`

/** The widths of buckets as rows `w`. */
export const widths = `(VALUES (${WIDTH}), (${FINE_WIDTH})) w(width)`

/**
 * Every partition that has records, as `places`. `counts` also has partitions of channels that this program lacks.
 *
 * @param where a condition on the counts `c` of consecutive partitions
 */
export const partitions = (s: string, where = "TRUE"): string => `places AS (
    (SELECT account, mode, channel FROM ${s}.counts c WHERE ${where} ORDER BY account, mode, channel LIMIT 1)
    UNION ALL
    SELECT n.* FROM places p CROSS JOIN LATERAL (
      SELECT account, mode, channel FROM ${s}.counts c
      WHERE (c.account, c.mode, c.channel) > (p.account, p.mode, p.channel) AND ${where}
      ORDER BY account, mode, channel LIMIT 1
    ) n
  )`
