import { PauseBotDocument, ResumeBotDocument, type BotPauseFragment } from '../../../generated/bots-admin.js'
import { useStore } from '../../store/console-store.js'
import { ActButton } from './act-button.js'
import { words } from './words.js'

interface PauseButtonProps {
  bot: { id: string; displayName: string; pauses: readonly BotPauseFragment[] }
  /** Id of the element that names the bot, where several are shown. */
  about?: string
  done(): void
}

/** Pauses a bot by itself, or lets it go on: a pause of all bots ends elsewhere. */
export function PauseButton({ bot: { id, displayName, pauses }, about, done }: PauseButtonProps) {
  const { request } = useStore()
  const isPaused = pauses.some(({ organizationId }) => organizationId === null)
  return (
    <ActButton
      label={isPaused ? words.resume : words.pause}
      ask={isPaused ? undefined : words.pauseAsk(displayName)}
      about={about}
      run={() => (isPaused ? request(ResumeBotDocument, { id }) : request(PauseBotDocument, { id }))}
      done={done}
    />
  )
}
