import { suite } from "../../../test/released/suite.ts"
import { sqlite } from "./releases.ts"

suite(sqlite)
