export * as Accounts from "./Accounts.ts"
export * as Ledger from "./Ledger.ts"
export * as Prices from "./Prices.ts"
export * as PriceTable from "./PriceTable.ts"
