/**
 * The name in texts of an account that was given no brand: its own name, as far as texts have room for it.
 */
import * as Template from "../operator/Template.ts"

/** What accounts are called that were opened without a name. */
const UNNAMED = "unnamed"

/**
 * The first words of an account's name that texts have room for, such as "Acme International" of "Acme International
 * Holdings"; null if there are none, and where one of the templates would be longer than one SMS with them.
 *
 * @param templates those that operators have set: the others have room for any brand
 */
export const brandOf = (name: string, templates: ReadonlyArray<Template.Template>): string | null => {
  const words = name.trim().split(/\s+/)
  const fitting = words.filter((_, index) => words.slice(0, index + 1).join(" ").length <= Template.LONGEST_VALUE)
  const brand = fitting.join(" ")
  const isName = brand !== "" && brand !== UNNAMED && !/[{}]/.test(brand)
  return isName && templates.every(({ text }) => Template.fitsOneSms(text, brand)) ? brand : null
}
