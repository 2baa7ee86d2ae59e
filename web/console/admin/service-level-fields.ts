import type { AdminChannelsQuery, ChannelServiceLevelInput } from '../../generated/admin.js'
import { numberIn, type FieldSpec, type Values } from './form-dialog.js'
import { words } from './words.js'

type ServiceLevel = AdminChannelsQuery['channels']['edges'][number]['node']['serviceLevel']

/** The fields of the seconds by which a channel's service level is counted. */
export function serviceLevelFields(stored: ServiceLevel): FieldSpec[] {
  const own = words.assignment
  const field = (name: 'answerSeconds' | 'shortAbandonSeconds', help: string): FieldSpec => {
    return { name, label: own[name], help, value: String(stored?.[name] ?? '') }
  }
  return [field('answerSeconds', own.answerHelp), field('shortAbandonSeconds', own.shortAbandonHelp)]
}

/** The seconds as filled in; null for the defaults. */
export function serviceLevelIn({ answerSeconds, shortAbandonSeconds }: Values): ChannelServiceLevelInput | null {
  const own = words.assignment
  const given = {
    answerSeconds: numberIn('answerSeconds', answerSeconds as string, own.answerHelp),
    shortAbandonSeconds: numberIn('shortAbandonSeconds', shortAbandonSeconds as string, own.shortAbandonHelp),
  }
  return given.answerSeconds === null && given.shortAbandonSeconds === null ? null : given
}
