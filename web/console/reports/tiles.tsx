import { took, type Value } from './format.js'
import { metricName, shownOf, textOf } from './metric.js'
import { words } from './words.js'

/** The totals of metrics at a glance. Without targets there is no part of them, and no tile. */
export function Tiles({ values }: { values: readonly Value[] }) {
  return (
    <ul class="tiles">
      {values
        .filter(({ metric, share }) => shownOf(metric) !== 'share' || share !== null)
        .map((value) => (
          <li key={value.metric} class="box tile">
            <span class="mid">{metricName(value.metric)}</span>
            <b>{textOf(value, shownOf(value.metric))}</b>
            {shownOf(value.metric) === 'average' && (
              <small>
                {words.p90} {took(value.p90Ms)}
              </small>
            )}
          </li>
        ))}
    </ul>
  )
}
