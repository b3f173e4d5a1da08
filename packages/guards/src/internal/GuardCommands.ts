/**
 * The operator's commands on guards: rules of accounts, blocks and exceptions.
 */
import { BadRequest } from "@watchword/schemas/Errors"
import { LONGEST, Duration } from "@watchword/schemas/internal/Durations"
import { called, field } from "@watchword/schemas/Field"
import { AccountId } from "@watchword/schemas/Ids"
