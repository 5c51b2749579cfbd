import type { Language } from '../../pipelines/index.ts'

/** The content of a mail, as text and as HTML. */
export interface Notice {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The content in one language: paragraphs around a list of facts, and where to go from there. */
interface NoticeParts {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly facts: readonly string[]
  readonly link?: { readonly text: string; readonly address: string }
  readonly closing: readonly string[]
}

export function writeNotice(language: Language, parts: NoticeParts): Notice {
  const { subject, paragraphs, facts, link, closing } = parts
  const paragraphsOf = (texts: readonly string[]) =>
    texts.map((text) => `<p>${escapeHtml(text)}</p>`)
  return {
    subject,
    text: [
      ...paragraphs,
      ...(facts.length === 0 ? [] : [facts.map((fact) => `- ${fact}`).join('\n')]),
      ...(link === undefined ? [] : [`${link.text}:\n${link.address}`]),
      ...closing,
      '',
    ].join('\n\n'),
    html: [
      '<!doctype html>',
      `<html lang="${language}"><head><meta charset="utf-8"></head><body>`,
      ...paragraphsOf(paragraphs),
      ...(facts.length === 0
        ? []
        : ['<ul>', ...facts.map((fact) => `<li>${escapeHtml(fact)}</li>`), '</ul>']),
      ...(link === undefined
        ? []
        : [`<p><a href="${escapeHtml(link.address)}">${escapeHtml(link.text)}</a></p>`]),
      ...paragraphsOf(closing),
      '</body></html>',
      '',
    ].join('\n'),
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
