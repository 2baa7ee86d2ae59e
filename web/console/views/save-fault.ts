import { Refused } from '@switchboard/client'
import { fieldWord } from './describe.js'
import { saved } from './saved-words.js'

/** Says to a person why a view was not saved, and what helps. */
export function saveFault(error: Error, isShared: boolean): string {
  const words = saved.faults
  if (!(error instanceof Refused)) return words.offline
  const { code, reason, field, message } = error
  if (code === 'PRECONDITION_FAILED') return words.changed
  if (code === 'FORBIDDEN') return words.forbidden
  if (code === 'NOT_FOUND') return field?.startsWith('filter') ? words.notSeen(fieldOf(field)) : words.gone
  if (reason === 'TOO_MANY') return isShared ? words.tooManyShared : words.tooManyOwn
  if (reason === 'NAME_TAKEN') return words.nameTaken
  if (reason === 'MISSING_VALUE' && field?.startsWith('filter')) return words.fitsAll
  if (reason !== 'MATCHES_NOTHING' || !field) return message
  const other = /while it has (filter[\w.[\]]*)/.exec(message)?.[1]
  return other ? words.contradicts(fieldOf(field), fieldOf(other)) : words.impossible(fieldOf(field))
}

/** The word for the field that a place in the filter names, such as `filter.or[0].labels.eq`. */
function fieldOf(place: string): string {
  const [, ...path] = place.split(/[.[\]]+/)
  const name = path.find((part) => part !== 'and' && part !== 'or' && !/^\d*$/.test(part))
  return fieldWord(name ?? place)
}
