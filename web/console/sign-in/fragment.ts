/** Takes what a provider's answer brought behind `#` out of the address at once, so that it stays in no history. @returns null without it */
export function takeFragment(name: 'link' | 'trial' | 'authorization'): string | null {
  const { hash, pathname, search } = location
  if (!hash.startsWith(`#${name}=`)) return null
  history.replaceState(null, '', pathname + search)
  return hash.slice(name.length + 2)
}
