import { useState } from 'preact/hooks'
import type { TalkMessage } from '../talk/thread.js'
import { Icon } from './icons.js'
import { safeLink, useView } from './view.js'

type Button = NonNullable<TalkMessage['actions']>[number]

/** The buttons of a message or of one of its items (2.10). Of replies one is chosen, and stays visible. */
export function Buttons({ message, item = null }: { message: TalkMessage; item?: number | null }) {
  const { talk } = useView()
  const [failed, setFailed] = useState(false)
  const buttons = (item === null ? message.actions : message.items?.[item]?.actions) ?? []
  if (message.type === 'POSTBACK' || buttons.length === 0) return null
  const chosen = talk.messages.find(({ type, createdAt, actions }) => {
    const [action] = actions ?? []
    return type === 'POSTBACK' && createdAt >= message.createdAt && action?.type === 'REPLY' && isIn(buttons, action)
  })?.actions?.[0]
  const click = (index: number): void => {
    setFailed(false)
    talk.click(message.id, index, item).catch(() => setFailed(true))
  }
  return (
    <div class="choices">
      {buttons.map((button, index) => (
        <Choice key={index} button={button} chosen={chosen ?? null} click={() => click(index)} />
      ))}
      {failed && <Failed />}
    </div>
  )
}

function Failed() {
  const { words } = useView()
  return (
    <p class="hint bad" role="alert">
      <Icon name="alert" small />
      {words.notSent}
    </p>
  )
}

function Choice({ button, chosen, click }: { button: Button; chosen: Button | null; click: () => void }) {
  const { talk } = useView()
  const { type, text, uri, fallback } = button
  if (type === 'LINK' || type === 'WEBVIEW') {
    const href = safeLink(uri) ?? safeLink(fallback)
    return href ? (
      <a class="choice" href={href} target="_blank" rel="noreferrer" dir="auto">
        {text}
      </a>
    ) : (
      <span class="choice" dir="auto">
        {text}
      </span>
    )
  }
  if (type === 'LOCATION_REQUEST') {
    const share = (): void =>
      navigator.geolocation?.getCurrentPosition(({ coords: { latitude, longitude } }) =>
        talk.say({ text: `${latitude}, ${longitude}` }),
      )
    return (
      <button type="button" class="choice" dir="auto" onClick={share}>
        {text}
      </button>
    )
  }
  if (type === 'REPLY' && chosen) {
    const isChosen = chosen.payload === button.payload && chosen.text === text
    return (
      <span class="choice" data-on={isChosen || undefined} dir="auto">
        {isChosen && <Icon name="check" small />}
        {text}
      </span>
    )
  }
  return (
    <button type="button" class="choice" dir="auto" onClick={click}>
      {text}
    </button>
  )
}

function isIn(buttons: readonly Button[], { payload, text }: Button): boolean {
  return buttons.some((each) => each.type === 'REPLY' && each.payload === payload && each.text === text)
}
