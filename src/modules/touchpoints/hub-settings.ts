import type { SetUpStep } from '../services/service-form.js'
import type { ParamSpec } from '../services/service-settings.js'

/** The secret of an app of Meta's, which signs its events. A service says to what it is bound. */
export const APP_SECRET: ParamSpec = {
  description: "Secret of the provider's signatures: reads return `********`.",
  form: {
    label: {
      en: 'Secret of the app',
      de: 'Geheimnis der App',
      fr: 'Secret de l’application',
      nl: 'Geheim van de app',
    },
  },
}

/** The token of the handshake: it is presented to us and never sent. */
export const VERIFY_TOKEN: ParamSpec = {
  description: "Token of the provider's handshake, generated if absent: reads return `********`.",
  boundTo: [],
  form: {
    label: { en: 'Verify token', de: 'Bestätigungstoken', fr: 'Jeton de confirmation', nl: 'Bevestigingstoken' },
    help: {
      en: 'The platform asks for it when its webhook is set up. Empty: one is made.',
      de: 'Die Plattform fragt danach, wenn ihr Webhook eingerichtet wird. Leer: einer wird erzeugt.',
      fr: 'La plateforme le demande à la mise en place de son webhook. Vide : il est créé.',
      nl: 'Het platform vraagt erom als de webhook wordt ingesteld. Leeg: er wordt een gemaakt.',
    },
  },
}

/** The step at which the secret of an app is found. */
export const COPY_APP_SECRET: SetUpStep = {
  text: {
    en: 'Copy the app secret from App settings, Basic.',
    de: 'Kopieren Sie das App-Geheimnis aus App-Einstellungen, Allgemeines.',
    fr: 'Copiez la clé secrète de l’app dans Paramètres de l’app, Général.',
    nl: 'Kopieer het appgeheim uit App-instellingen, Basis.',
  },
}
