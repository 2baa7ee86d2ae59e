interface ColumnsChartProps {
  /** What is drawn, for those who do not see it; the table beside it says the rest. */
  label: string
  columns: readonly { name: string; value: number; text: string }[]
  /** The value of a whole column, if none is larger. */
  most: number
}

const HEIGHT = 96
const WIDTH = 640

/** Columns over time. The table below has the numbers: a reader of the screen needs no drawing. */
export function ColumnsChart({ label, columns, most: least }: ColumnsChartProps) {
  const most = Math.max(least, ...columns.map(({ value }) => value))
  const step = WIDTH / Math.max(1, columns.length)
  const gap = step > 6 ? 2 : 0.5
  return (
    <svg class="columns" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {columns.map(({ name, value, text }, index) => {
        const height = value > 0 ? Math.max(1.5, (value / most) * HEIGHT) : 0
        return (
          <rect key={name} x={index * step + gap / 2} y={HEIGHT - height} width={step - gap} height={height}>
            <title>{`${name}: ${text}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

/** How much of the largest a line has; the number beside it says it in words. */
export function Bar({ value, most }: { value: number; most: number }) {
  const width = most > 0 ? (value / most) * 100 : 0
  return (
    <svg class="chart-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect x="0" y="0" width={width} height="8" />
    </svg>
  )
}
