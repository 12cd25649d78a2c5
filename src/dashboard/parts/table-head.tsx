/** The heading of a table: the names of its columns. */

/** A column by its name, or with the class of its cells too; a name that is `unseen` is for those who listen. */
type Column = string | readonly [name: string, className: "only-wide" | "number" | "unseen"];

/** One row, with a heading for each column. */
export function TableHead({ columns }: { columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const [name, className] = typeof column === "string" ? [column] : column;
          const isUnseen = className === "unseen";
          return (
            <th key={name} scope="col" class={isUnseen ? undefined : className}>
              {isUnseen ? <span class="unseen">{name}</span> : name}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
