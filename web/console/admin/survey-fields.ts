import type { AdminChannelsQuery, ChannelSurveyInput } from '../../generated/admin.js'
import { t } from '../../shared/i18n/messages.js'
import { TOUCHPOINTS } from '../../shared/touchpoint-traits.js'
import { numberIn, type FieldSpec, type Values } from './form-dialog.js'
import { words } from './words.js'

type Survey = AdminChannelsQuery['channels']['edges'][number]['node']['survey']

const OFF = ''

/** The fields of what consumers are asked after closing. */
export function surveyFields(stored: Survey): FieldSpec[] {
  const own = words.survey
  const scales = [[OFF, own.off] as const, ...Object.entries(own.scales)]
  return [
    { name: 'scale', label: own.scale, kind: 'select', value: stored?.scale ?? OFF, options: scales },
    { name: 'text', label: own.text, help: own.textHelp, value: stored?.text ?? '' },
    {
      name: 'delaySeconds',
      label: own.delaySeconds,
      help: own.delayHelp,
      value: String(stored?.delaySeconds ?? ''),
    },
    { name: 'onceDays', label: own.onceDays, help: own.onceHelp, value: String(stored?.onceDays ?? '') },
    {
      name: 'touchpoints',
      label: own.touchpoints,
      kind: 'checks',
      value: stored?.touchpoints ?? TOUCHPOINTS,
      options: TOUCHPOINTS.map((each) => [each, t().touchpoint[each]] as const),
    },
  ]
}

/** The settings as filled in; null where nobody is asked. */
export function surveyIn({ scale, text, delaySeconds, onceDays, touchpoints }: Values): ChannelSurveyInput | null {
  const own = words.survey
  if (scale === OFF) return null
  const chosen = touchpoints as NonNullable<ChannelSurveyInput['touchpoints']>
  return {
    scale: scale as ChannelSurveyInput['scale'],
    text: (text as string).trim() || null,
    delaySeconds: numberIn('delaySeconds', delaySeconds as string, own.delayHelp),
    onceDays: numberIn('onceDays', onceDays as string, own.onceHelp),
    touchpoints: chosen.length === TOUCHPOINTS.length ? null : chosen,
  }
}
