interface ColumnsChartProps {
  /** The chart in words, for those who do not see it; the table beside it says the rest. */
  label: string
  columns: readonly { name: string; value: number; text: string }[]
  /** The value of a whole column, if none is larger. */
  most: number
}

/** More than these, and not every column has its name and its figure. */
const ALL_NAMED = 14
const NAMES = 8

/** Columns over time. The table below has the numbers: a reader of the screen needs no drawing. */
export function ColumnsChart({ label, columns, most: least }: ColumnsChartProps) {
  const most = Math.max(least, ...columns.map(({ value }) => value))
  const highest = columns.findIndex(({ value }) => value === most)
  const isNamed = columns.length <= ALL_NAMED
  const step = isNamed ? 1 : Math.ceil(columns.length / NAMES)
  return (
    <div class={isNamed ? 'columns named' : 'columns'} role="img" aria-label={label} style={`--step:${step}`}>
      {columns.map(({ name, value, text }, index) => (
        <span key={name} title={`${name}: ${text}`}>
          <i style={`block-size:${most > 0 ? (value / most) * 100 : 0}%`}>
            {(isNamed || index === highest) && <b>{text}</b>}
          </i>
          {index % step === 0 && index + step <= columns.length && <small>{name}</small>}
        </span>
      ))}
    </div>
  )
}

/** A line's part of the largest; the number beside it says it in words. */
export function Bar({ value, most }: { value: number; most: number }) {
  const width = most > 0 ? (value / most) * 100 : 0
  return (
    <svg class="chart-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect x="0" y="0" width={width} height="8" />
    </svg>
  )
}
