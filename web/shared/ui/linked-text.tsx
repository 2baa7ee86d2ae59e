import { linksIn } from '../links.js'

/** A plain text whose addresses can be clicked. Links to this server open in this tab, others in a new one (2.10). */
export function LinkedText({ text }: { text: string }) {
  const parts = linksIn(text)
  if (parts.length === 1 && !parts[0]!.href) return <>{text}</>
  return (
    <>
      {parts.map(({ text: each, href }, index) =>
        href ? (
          <a
            key={index}
            href={href}
            target={href.startsWith(`${location.origin}/`) || !href.startsWith('http') ? undefined : '_blank'}
            rel="noreferrer noopener"
          >
            {each}
          </a>
        ) : (
          each
        ),
      )}
    </>
  )
}
