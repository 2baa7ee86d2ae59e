import { BotPausesOfDocument, PauseBotsDocument, ResumeBotsDocument } from '../../../generated/bots-admin.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { Icon } from '../../../shared/ui/icon.js'
import { useQuery } from '../../admin/use-query.js'
import { useStore, type ConsoleStore } from '../../store/console-store.js'
import { ActButton } from './act-button.js'
import { PauseLine } from './pause-line.js'
import { useBotAdminWords, words } from './words.js'

interface OrganizationPausesProps {
  organization: string
  nameOf(organization: string): string
  /** Called when it has changed. */
  changed(): void
}

/** Pauses all bots of an organization, and ends that. */
export default function OrganizationPauses({ organization, nameOf, changed }: OrganizationPausesProps) {
  useBotAdminWords()
  const store = useStore()
  const { data, error, refresh } = useQuery(BotPausesOfDocument, { organization }, 'organization')
  const pauses = data?.organization?.botPauses ?? []
  const isOwn = pauses.some(({ organizationId }) => organizationId === organization)
  const done = (): void => {
    refresh()
    changed()
  }
  return (
    <section class="box" aria-label={words.bots} aria-busy={data === null && !error}>
      <header>
        <Icon name="bot" />
        <h2>{words.bots}</h2>
      </header>
      <ErrorHint text={error?.message} />
      {data && (
        <div class="pad stack">
          <div role="status">
            {pauses.length === 0 && <p>{words.allRun}</p>}
            {pauses.map((pause) => (
              <PauseLine key={pause.organizationId} pause={pause} nameOf={nameOf} />
            ))}
          </div>
          <p class="hint">
            {words.pauseHelp} {words.pauseAllHelp}
          </p>
          <p class="line">
            <ActButton
              label={isOwn ? words.resumeAll : words.pauseAll}
              ask={isOwn ? undefined : words.pauseAllAsk(nameOf(organization))}
              run={() => pauseOrResume(store, { organization, isOwn })}
              done={done}
            />
          </p>
        </div>
      )}
    </section>
  )
}

const pauseOrResume = (
  { request }: ConsoleStore,
  { organization, isOwn }: { organization: string; isOwn: boolean },
): Promise<unknown> =>
  isOwn ? request(ResumeBotsDocument, { organization }) : request(PauseBotsDocument, { organization })
