import type { ComponentChildren } from 'preact'
import { dayTime, duration } from '../../shared/i18n/format.js'
import { Icon } from '../../shared/ui/icon.js'
import { snoozeTimes } from '../acts/snooze-times.js'
import { LabelChips } from '../labels/label-chips.js'
import { useStore } from '../store/console-store.js'
import type { Step } from './macros-of.js'
import { words } from './words.js'

export const STEP_ICONS: Readonly<Record<Step['kind'], string>> = {
  REPLY: 'chat',
  NOTE: 'lock',
  LABELS: 'tag',
  CATEGORY: 'form',
  FORM: 'form',
  SNOOZE: 'snooze',
  HAND_OVER: 'hand',
  CLOSE: 'check',
}

const MINUTE_MS = 60_000

/** Says in words what a step does. @param fill puts in what placeholders of a reply stand for */
export function StepLine({ step, fill = (text) => text }: { step: Step; fill?: (text: string) => string }) {
  return (
    <li class="does-step">
      <Icon name={STEP_ICONS[step.kind]} />
      <span>
        <Sentence step={step} fill={fill} />
      </span>
    </li>
  )
}

function Sentence({ step, fill }: { step: Step; fill(text: string): string }) {
  const store = useStore()
  const { sentences } = words
  const { labels } = store.organization
  switch (step.kind) {
    case 'REPLY':
      return (
        <>
          <span class="vh">{sentences.reply[0]} </span>
          <q dir="auto">{fill(step.text ?? '')}</q>
        </>
      )
    case 'NOTE':
      return (
        <Around of="note">
          <q dir="auto">{step.text}</q>
        </Around>
      )
    case 'LABELS': {
      const chips = (ids: readonly string[]) => <LabelChips labels={ids.flatMap((id) => labels.value.get(id) ?? [])} />
      return (
        <>
          {step.add?.length ? <Around of="add">{chips(step.add)}</Around> : null}{' '}
          {step.remove?.length ? <Around of="remove">{chips(step.remove)}</Around> : null}
        </>
      )
    }
    case 'CATEGORY':
      return (
        <Around of="category">
          <b>{step.category}</b>
        </Around>
      )
    case 'FORM':
      return (
        <Around of="form">
          <b>{step.name ?? words.gone}</b>
        </Around>
      )
    case 'SNOOZE':
      return <Snooze step={step} />
    case 'HAND_OVER':
      return (
        <>
          <Around of="handOver">
            <b>
              <bdi>{step.name ?? words.gone}</bdi>
            </b>
          </Around>
          {step.note && (
            <>
              {' '}
              <Around of="withNote">
                <q dir="auto">{step.note}</q>
              </Around>
            </>
          )}
        </>
      )
    case 'CLOSE':
      return <>{sentences.close}</>
  }
}

const CHOICES = { AFTERNOON: 'afternoon', TOMORROW: 'tomorrow', NEXT_WEEK: 'nextWeek' } as const

function Snooze({ step: { until, minutes } }: { step: Step }) {
  const now = useStore().now.value
  if (!until)
    return (
      <Around of="during">
        <b>{duration((minutes ?? 0) * MINUTE_MS)}</b>
      </Around>
    )
  // The afternoon that is over by then is the next day's.
  const at = snoozeTimes(now).find(([choice]) => choice === CHOICES[until])?.[1] ?? nextAfternoon(now)
  return (
    <Around of="until">
      <b>{dayTime(at.getTime(), now)}</b>
    </Around>
  )
}

function nextAfternoon(now: number): Date {
  const at = new Date(now)
  at.setDate(at.getDate() + 1)
  at.setHours(17, 0, 0, 0)
  return at
}

function Around({ of, children }: { of: Exclude<keyof typeof words.sentences, 'close'>; children: ComponentChildren }) {
  const [before, after] = words.sentences[of]
  return (
    <>
      {before} {children} {after}
    </>
  )
}
