export type Density = 'comfortable' | 'compact'
const KEPT = 'density'

export function keptDensity(): Density {
  try {
    return localStorage.getItem(KEPT) === 'compact' ? 'compact' : 'comfortable'
  } catch {
    return 'comfortable'
  }
}

export function setDensity(density: Density): void {
  document.documentElement.dataset.density = density
  try {
    localStorage.setItem(KEPT, density)
  } catch {
    // No storage: in this page only.
  }
}
