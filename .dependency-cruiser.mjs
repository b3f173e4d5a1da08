// Packages import in one direction: a package may import those of the rows above its own.
// `store-sql` stands beside the rows: it imports `store`, and store adapters alone import it.
const rows = [
  ["schemas", "callback-signature", "conformance"],
  ["pagination"],
  ["store"],
  ["audit", "auth", "ledger", "records", "settings"],
  ["send", "gateway"],
  ["guards", "events", "why"],
  ["channel"],
  ["call", "sms", "chatgw", "bizchat", "sandbox"],
  ["verify"],
  ["server", "retention"],
  ["watchword"]
]
const folder = (name) => `^packages/${name}/`

const downwards = rows.flatMap((row, depth) =>
  row.map((name) => ({
    name: `${name}-imports-only-what-is-left-of-it`,
    severity: "error",
    from: { path: `${folder(name)}src/` },
    to: {
      path: "^(packages|adapters|examples|bench)/",
      pathNot: [
        folder(name),
        ...rows.slice(0, depth).flat().map(folder),
        ...(depth >= 4 ? [folder("auth")] : []),
        ...(depth >= 6 ? [folder("api")] : []),
        // Types alone: direct calls are declared as the client's.
        ...(name === "watchword" ? [folder("client")] : [])
      ]
    }
  }))
)

export default {
  forbidden: [
    ...downwards,
    {
      name: "api-is-safe-for-clients",
      severity: "error",
      from: { path: `${folder("api")}src/` },
      to: { path: "^(packages|adapters|examples)/", pathNot: ["schemas", "pagination", "api"].map(folder) }
    },
    {
      name: "client-stands-alone",
      severity: "error",
      from: { path: `${folder("client")}src/`, pathNot: "src/effect\\.ts$" },
      to: { pathNot: folder("client") }
    },
    {
      name: "client-for-effect-imports-api",
      severity: "error",
      from: { path: `${folder("client")}src/effect\\.ts$` },
      to: { path: "^(packages|adapters|examples|bench)/", pathNot: folder("api") }
    },
    {
      name: "store-sql-imports-store",
      severity: "error",
      from: { path: `${folder("store-sql")}src/` },
      to: {
        path: "^(packages|adapters|examples|bench)/",
        pathNot: ["schemas", "pagination", "store", "store-sql"].map(folder)
      }
    },
    {
      name: "store-adapters-alone-import-store-sql",
      severity: "error",
      from: { path: "^(packages|adapters|examples)/", pathNot: [folder("store-sql"), "^adapters/store-"] },
      to: { path: folder("store-sql") }
    },
    {
      name: "services-beside-the-store-stand-alone",
      severity: "error",
      from: { path: "^packages/(audit|auth|ledger|records|settings)/src/" },
      to: { path: "^packages/(audit|auth|ledger|records|settings)/", pathNot: ["^packages/$1/"] }
    },
    {
      name: "adapters-import-no-other-than-fetch",
      severity: "error",
      from: { path: "^adapters/([^/]+)/src/" },
      to: { path: "^(adapters|examples|bench)/", pathNot: ["^adapters/$1/", "^adapters/fetch/"] }
    },
    {
      name: "tests-alone-import-the-test-kit",
      severity: "error",
      from: { path: "^(packages|adapters|examples)/[^/]+/src/", pathNot: [folder("testing")] },
      to: { path: folder("testing") }
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "sources-do-not-import-tests",
      severity: "error",
      from: { path: "/src/" },
      to: { path: "/test/" }
    }
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|build|node_modules)/" },
    tsPreCompilationDeps: true,
    parser: "swc",
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "default", "types"] }
  }
}
