import { suite } from "../../../test/released/suite.ts"
import { d1 } from "./releases.ts"

suite(d1)
