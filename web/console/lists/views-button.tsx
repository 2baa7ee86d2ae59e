import { signal } from '@preact/signals'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'

/** As the style has it: the width from which on the views have a column. */
export const ROOMY = '(min-width:84.0625rem)'

/**
 * Says that the views are to be loaded: at once where there is a column of them, else when the page has nothing else to do, or
 * when they are opened.
 */
export const viewMenu = signal<'' | 'wanted' | 'opened'>(matchMedia(ROOMY).matches ? 'wanted' : '')

/** The id of the popover that they are in. */
export const VIEWS_MENU = 'views-menu'

/** Opens the views where there is no column of them. */
export function ViewsButton() {
  // The browser opens what is there; what is loaded meanwhile opens when it has come.
  const open = (): void => {
    if (!document.getElementById(VIEWS_MENU)) viewMenu.value = 'opened'
  }
  return (
    <button class="btn ghost icon to-views" aria-label={t().views.title} popovertarget={VIEWS_MENU} onClick={open}>
      <Icon name="down" />
    </button>
  )
}
