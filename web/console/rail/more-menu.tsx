import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { toggleTheme } from '../../shared/ui/theme.js'
import { route } from '../route.js'

export interface Place {
  href: string
  label: string
  icon: string
  isCurrent: boolean
}

/** On a telephone: the places for which the rail has no room. The browser's popover closes it and returns the focus. */
export function MoreMenu({ places }: { places: readonly Place[] }) {
  const words = t().nav
  const menu = useRef<HTMLDivElement>(null)
  const shown = route.value
  const [isOpen, setOpen] = useState(false)
  useEffect(() => menu.current?.hidePopover(), [shown])
  return (
    <>
      <button class="btn ghost icon phone" aria-label={words.more} popovertarget="more-menu">
        <Icon name="dots" size="l" />
      </button>
      <div
        ref={menu}
        id="more-menu"
        class="pop more-menu"
        popover="auto"
        onBeforeToggle={(event) => setOpen(event.newState === 'open')}
      >
        <ul hidden={!isOpen}>
          {/* Else the names of the places would be there twice. */}
          {(isOpen ? places : []).map(({ href, label, icon, isCurrent }) => (
            <li key={href}>
              <a href={href} aria-current={isCurrent ? 'page' : undefined}>
                <Icon name={icon} />
                {label}
              </a>
            </li>
          ))}
          <li>
            <button type="button" onClick={toggleTheme}>
              <Icon name="half" />
              {words.theme}
            </button>
          </li>
        </ul>
      </div>
    </>
  )
}
