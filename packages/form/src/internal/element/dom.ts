/**
 * Elements, without a template and without a style of their own, which a strict policy would refuse.
 */

type Props = Readonly<Record<string, string | boolean | undefined>>

/** An element with attributes and children; an attribute that is false or undefined is left out. */
export const h = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props,
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag)
  set(element, props)
  element.append(...children)
  return element
}

/** Sets attributes. Removes an attribute if its value is false or undefined. */
export const set = (element: Element, props: Props): void => {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) element.removeAttribute(name)
    else element.setAttribute(name, value === true ? "" : value)
  }
}

/** Sets a text unless it is unchanged: a live region would announce it again. */
export const say = (element: Element, text: string): void => {
  if (element.textContent !== text) element.textContent = text
}
