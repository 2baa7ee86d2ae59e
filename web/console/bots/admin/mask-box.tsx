import { SetBotMaskDocument, type MaskedKind } from '../../../generated/bots-admin.js'
import { useStore } from '../../store/console-store.js'
import type { Bot } from './grants.js'
import { SettingBox } from './setting-box.js'
import { useSetting } from './use-setting.js'
import { words } from './words.js'

const KINDS = Object.keys(words.mask.kinds) as MaskedKind[]

type Masked = Pick<Bot, 'mask' | 'version'>

interface MaskBoxProps {
  bot: Bot
  refresh(): void
}

/** The kinds that a bot does not read in texts. */
export function MaskBox({ bot, refresh }: MaskBoxProps) {
  const store = useStore()
  const setting = useSetting<Masked, MaskedKind[]>({
    told: bot,
    versionOf: ({ version }) => version,
    write: async (mask, ifVersion) =>
      (await store.request(SetBotMaskDocument, { bot: bot.id, mask, ifVersion })).updateUser,
    refresh,
  })
  const chosen = setting.edited ?? setting.saved.mask ?? []
  return (
    <SettingBox id="bot-mask" title={words.mask.title} lead={words.mask.lead} saving={setting}>
      <fieldset class="field checks">
        <legend>{words.mask.legend}</legend>
        {KINDS.map((kind) => (
          <label key={kind} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(kind)}
              onChange={({ currentTarget: { checked } }) =>
                setting.edit(KINDS.filter((each) => (each === kind ? checked : chosen.includes(each))))
              }
            />
            {words.mask.kinds[kind]}
          </label>
        ))}
        <p class="hint">{words.mask.help}</p>
      </fieldset>
    </SettingBox>
  )
}
