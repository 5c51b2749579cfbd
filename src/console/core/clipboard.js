/** Whether it was copied: a browser may refuse. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Refused, or there is none on a page without TLS.
    return false
  }
}
