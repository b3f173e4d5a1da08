// Packages import in one direction: a package may import those of the rows above its own.
const rows = [
  ["schemas", "callback-signature"],
  ["pagination"],
  ["store"],
  ["auth", "ledger", "records"],
  ["send"],
  ["guards", "events"],
  ["call", "sms", "chatgw", "bizchat"],
  ["verify"],
  ["server", "sandbox"],
  ["operator"],
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
      from: { path: `${folder("client")}src/`, pathNot: "src/(?:effect|phone)\\.ts$" },
      to: { pathNot: folder("client") }
    },
    {
      name: "client-reads-numbers-without-effect",
      severity: "error",
      from: { path: `${folder("client")}src/phone\\.ts$` },
      to: { pathNot: `${folder("schemas")}src/phone/` }
    },
    {
      name: "reading-of-numbers-needs-no-effect",
      severity: "error",
      from: { path: `${folder("schemas")}src/phone/` },
      to: { path: "node_modules/effect/" }
    },
    {
      name: "client-for-effect-imports-api",
      severity: "error",
      from: { path: `${folder("client")}src/effect\\.ts$` },
      to: { path: "^(packages|adapters|examples|bench)/", pathNot: folder("api") }
    },
    {
      name: "form-imports-the-client's-types-and-numbers",
      severity: "error",
      from: { path: `${folder("form")}src/` },
      to: {
        path: "^(packages|adapters|examples)/",
        pathNot: [folder("form"), folder("client"), `${folder("schemas")}src/(?:phone/|Errors\\.ts)`]
      }
    },
    {
      name: "form-in-a-page-has-no-handler",
      severity: "error",
      from: { path: `${folder("form")}src/(?:index|element|react)\\.ts$` },
      to: { path: `${folder("form")}src/internal/(?:handler|generated)/`, reachable: true }
    },
    {
      name: "console-imports-the-client's-types",
      severity: "error",
      from: { path: `${folder("console")}(?:src|pages)/` },
      to: {
        path: "^(packages|adapters|examples)/",
        pathNot: [...["console", "client"].map(folder), "^packages/schemas/src/Csv\\.ts$"]
      }
    },
    {
      name: "store-adapters-alone-import-sql",
      severity: "error",
      from: {
        path: "^(packages|adapters|examples)/",
        pathNot: ["^packages/store/src/sql/", "^adapters/store-", "^examples/node-sqlite-store/", "/test/"]
      },
      to: { path: "^packages/store/src/sql/" }
    },
    {
      name: "suites-alone-import-checks",
      severity: "error",
      from: { path: "/src/", pathNot: ["^packages/store/src/checks/", "/conformance"] },
      to: { path: "^packages/store/src/checks/" }
    },
    {
      name: "services-beside-the-store-stand-alone",
      severity: "error",
      from: { path: "^packages/(auth|ledger|records)/src/" },
      to: { path: "^packages/(auth|ledger|records)/", pathNot: ["^packages/$1/"] }
    },
    {
      name: "adapters-import-no-other-than-fetch",
      severity: "error",
      from: { path: "^adapters/([^/]+)/src/" },
      to: { path: "^(adapters|examples|bench)/", pathNot: ["^adapters/$1/", "^adapters/fetch/"] }
    },
    {
      name: "the-server-alone-imports-programs",
      severity: "error",
      from: {
        path: "^(packages|adapters|examples)/[^/]+/src/",
        pathNot: ["^examples/standalone/", ...["dev", "standalone"].map(folder)]
      },
      to: { path: ["dev", "standalone"].map(folder) }
    },
    {
      name: "the-development-server-imports-no-other-program",
      severity: "error",
      from: { path: folder("dev") + "src/" },
      to: { path: ["^examples/", folder("standalone")] }
    },
    {
      name: "tests-alone-import-the-test-kit",
      severity: "error",
      from: { path: "^(packages|adapters|examples)/[^/]+/src/", pathNot: [folder("testing")] },
      to: { path: folder("testing") }
    },
    {
      name: "no-import-crosses-into-another's-internal",
      severity: "error",
      from: { path: "^(packages|adapters|examples)/([^/]+)/" },
      to: { path: "^(packages|adapters|examples)/[^/]+/src/internal/", pathNot: ["^$1/$2/"] }
    },
    {
      name: "what-sends-knows-neither-simulator-nor-operator",
      severity: "error",
      from: {
        path: "^packages/(store|auth|ledger|records|guards|events|send|verify|sms|call|chatgw|bizchat)/src/"
      },
      to: { path: ["operator", "sandbox"].map(folder) }
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
