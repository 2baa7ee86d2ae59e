/** Views of conversations whoever has them: what is shown is asked for, not told. */
export const VIEWS = ['open', 'waiting', 'active', 'snoozed', 'undelivered', 'closed'] as const
export type ViewName = (typeof VIEWS)[number]

export const isView = (list: string): list is ViewName => (VIEWS as readonly string[]).includes(list)
