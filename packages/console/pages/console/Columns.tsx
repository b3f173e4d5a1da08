/**
 * The heads of a table's columns.
 */

interface Given {
  /** A column of figures is `{ figures: "Sent" }`. */
  readonly all: ReadonlyArray<string | { readonly figures: string }>
  /** Whether a last column has buttons. */
  readonly acts?: boolean
}

export const Columns = ({ acts = false, all }: Given) => (
  <thead>
    <tr>
      {all.map((column) =>
        typeof column === "string" ? (
          <th key={column} scope="col">
            {column}
          </th>
        ) : (
          <th key={column.figures} scope="col" class="number">
            {column.figures}
          </th>
        )
      )}
      {acts && (
        <th scope="col">
          <span class="visually-hidden">Acts</span>
        </th>
      )}
    </tr>
  </thead>
)
