import { suite } from "../../../test/released/suite.ts"
import { postgres } from "./releases.ts"

suite(postgres)
