/**
 * The name in texts of an account without a brand: as much of its own name as texts have room for.
 */
import * as Template from "../operator/Template.ts"

/** What accounts are called that were opened without a name. */
const UNNAMED = "unnamed"

/**
 * The first words of an account's name that texts have room for, such as "Acme International" of "Acme International
 * Holdings"; null if no word fits, or if one of the templates would be longer than one SMS with them.
 *
 * @param templates set by operators: the built-in ones have room for any brand
 */
export const brandOf = (name: string, templates: ReadonlyArray<Template.Template>): string | null => {
  const words = name.trim().split(/\s+/)
  const fitting = words.filter((_, index) => words.slice(0, index + 1).join(" ").length <= Template.LONGEST_VALUE)
  const brand = fitting.join(" ")
  const isName = brand !== "" && brand !== UNNAMED && !/[{}]/.test(brand)
  return isName && templates.every(({ text }) => Template.fitsOneSms(text, brand)) ? brand : null
}
