import type { Language } from '../../pipelines/index.ts'

/** The content of a mail, as text and as HTML. */
export interface Notice {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The content in one language: paragraphs around a list of facts. */
interface NoticeParts {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly facts: readonly string[]
  readonly closing: readonly string[]
}

export function writeNotice(language: Language, parts: NoticeParts): Notice {
  const { subject, paragraphs, facts, closing } = parts
  const paragraphsOf = (texts: readonly string[]) =>
    texts.map((text) => `<p>${escapeHtml(text)}</p>`)
  return {
    subject,
    text: [...paragraphs, facts.map((fact) => `- ${fact}`).join('\n'), ...closing, ''].join('\n\n'),
    html: [
      '<!doctype html>',
      `<html lang="${language}"><head><meta charset="utf-8"></head><body>`,
      ...paragraphsOf(paragraphs),
      '<ul>',
      ...facts.map((fact) => `<li>${escapeHtml(fact)}</li>`),
      '</ul>',
      ...paragraphsOf(closing),
      '</body></html>',
      '',
    ].join('\n'),
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
