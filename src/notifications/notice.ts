/** What a mail says, as text and as HTML. */
export interface Notice {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
