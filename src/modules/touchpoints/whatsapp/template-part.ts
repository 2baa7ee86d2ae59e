import type { SentTemplate } from '../../services/template-message.js'
import type { WhatsappPart } from './whatsapp-parts.js'

/** Converts a template of a message to the platform's form; its variables are numbered or named. */
export function templatePart({ name, language, header, headerValues, bodyValues }: SentTemplate): WhatsappPart {
  const file = header && { type: header.type.toLowerCase(), [header.type.toLowerCase()]: { link: header.link } }
  const headerParameters = file ? [file] : headerValues.map(parameterOf)
  const components = [
    ...(headerParameters.length > 0 ? [{ type: 'header', parameters: headerParameters }] : []),
    ...(bodyValues.length > 0 ? [{ type: 'body', parameters: bodyValues.map(parameterOf) }] : []),
  ]
  return {
    type: 'template',
    template: { name, language: { code: language }, ...(components.length > 0 && { components }) },
  }
}

function parameterOf([variable, text]: [string, string]): Record<string, string> {
  return { type: 'text', ...(!/^\d+$/.test(variable) && { parameter_name: variable }), text }
}
