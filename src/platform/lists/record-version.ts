import { Extensions, Field, Int } from 'type-graphql'
import type { TenantEntity } from '../db/tenancy.js'
import { ChangedMeanwhile } from '../errors.js'

/** Declares `ifVersion` of a change's input: the version of the record that its author saw. */
export function IfVersion(): PropertyDecorator {
  return (input, property) => {
    Field(() => Int, {
      nullable: true,
      description:
        'The `version` that the change is made to. If the record has another one by now, the change is refused with ' +
        'the code PRECONDITION_FAILED, the reason `OTHER_VERSION` and the present `version`, and nothing is written.',
    })(input, property)
    // `/v2` has `If-Match`.
    Extensions({ isGraphqlOnly: true })(input, property)
  }
}

/** Marks a locked record as changed. The version is exact where two changes may share a millisecond. */
export function markChanged(record: Pick<TenantEntity, 'version' | 'updatedAt'>, now: Date): void {
  record.version++
  record.updatedAt = now
}

/**
 * Refuses a change that was made to another version of the record. Needs the record's row lock, so that of two changes
 * to the same version the second is refused.
 * @param ifVersion none: the change is made to whatever is there
 * @throws ChangedMeanwhile
 */
export function requireVersion(
  name: string,
  { id, version }: { id: string; version: number },
  ifVersion: number | null | undefined,
): void {
  if (ifVersion === null || ifVersion === undefined || ifVersion === version) return
  throw new ChangedMeanwhile(
    `${name} ${id} has the version ${version}, not ${ifVersion}: it was changed meanwhile; read it again`,
    version,
  )
}
