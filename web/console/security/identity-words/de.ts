import type { IdentityWords } from './en.js'

export const de = {
  title: 'Verknüpfte Konten',
  linked: (time: string) => `verknüpft ${time}`,
  lastUsed: (time: string) => `zuletzt benutzt ${time}`,
  notLinked: 'Nicht verknüpft: Verknüpfen Sie es, um sich hier damit anzumelden',
  link: 'Verknüpfen',
  linkTitle: (provider: string) => `${provider} verknüpfen`,
  linkText: (provider: string) =>
    `Sie melden sich bei ${provider} an und kommen hierher zurück. Von da an meldet jenes Konto Sie auch hier an.`,
  password: 'Derzeitiges Passwort',
  passwordHelp:
    'Lassen Sie es leer, wenn Sie hier keines haben: Melden Sie sich dann höchstens 15 Minuten vorher über einen Anbieter an.',
  go: 'Weiter',
  unlink: 'Trennen',
  unlinkAsk: 'Trennen und seine Sitzungen beenden?',
  linking: 'Wird verknüpft',
  isLinked: (provider: string) => `${provider} ist verknüpft. Sie können sich von nun an damit anmelden.`,
  notDone: 'Nicht verknüpft',
  again: 'Noch einmal versuchen',
  none: 'Keine',
  wrongPassword: 'Das ist nicht Ihr Passwort.',
  passwordNeeded: 'Geben Sie Ihr Passwort ein.',
  freshNeeded:
    'Sie haben hier kein Passwort. Melden Sie sich ab und wieder an, und verknüpfen Sie innerhalb von 15 Minuten.',
  lastWay:
    'Es ist Ihr einziger Weg, sich anzumelden. Setzen Sie zuerst ein Passwort: Melden Sie sich ab und wählen Sie „Passwort vergessen?“ auf der Anmeldeseite.',
  taken: 'Jenes Konto ist hier mit jemand anderem verknüpft. Es muss dort zuerst getrennt werden.',
  tooMany: 'Sie haben so viele verknüpfte Konten, wie Sie haben dürfen. Trennen Sie zuerst eines.',
  expired: 'Es hat zu lange gedauert oder war schon geschehen. Verknüpfen Sie neu, wenn es hier nicht steht.',
} satisfies IdentityWords
