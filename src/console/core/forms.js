/** Fields of a request, and the file behind them; what is not a text is JSON. */
export function formOf(fields, file, filename = file.name) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  form.append('file', file, filename)
  return form
}
