import type { ComponentChildren } from 'preact'
import { t } from '../../../shared/i18n/messages.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import type { Progress, Saving } from './use-setting.js'
import { words } from './words.js'

interface SettingBoxProps {
  id: string
  title: string
  lead: string
  saving: Saving
  /** The fields. */
  children: ComponentChildren
}

/** A box with the fields of one setting, which are saved together. */
export function SettingBox({ id, title, lead, saving, children }: SettingBoxProps) {
  const { fault, isBusy, isEdited, save, discard } = saving
  return (
    <section class="box" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <SaveStatus {...saving} />
      </header>
      <form
        class="pad stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <p class="mid">{lead}</p>
        {children}
        <ErrorHint text={fault} />
        <p class="line">
          <button class="btn primary" aria-disabled={isBusy || !isEdited}>
            {t().save}
          </button>
          {isEdited && (
            <button type="button" class="btn" onClick={discard}>
              {t().cancel}
            </button>
          )}
        </p>
      </form>
    </section>
  )
}

/** Says how far a change is, to a screen reader too. */
export function SaveStatus({ isBusy, isEdited, isSaved }: Progress) {
  return (
    <span class="mute t2 push" role="status">
      {isBusy ? words.saving : isEdited ? words.unsaved : isSaved ? words.saved : ''}
    </span>
  )
}
