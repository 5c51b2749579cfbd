// Imports of the product's own TypeScript contain the exact path, and so do those of packages between
// their .mjs files. Node would still ask the disk whether the file exists, whether it is a link, which
// package it belongs to, and what that says about its format. For a command, that is a third of its time.
import module from 'node:module'

const PRODUCT = new URL('../../', import.meta.url).href
const PACKAGES = new URL('node_modules/', PRODUCT).href

module.registerHooks({
  resolve(specifier, context, nextResolve) {
    const format = formatOf(specifier, context.parentURL)
    if (format === null) return nextResolve(specifier, context)
    return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true }
  },
})

/**
 * Null: Node has to find out.
 *
 * @param {string} specifier
 * @param {string | undefined} parent
 */
function formatOf(specifier, parent = '') {
  if (!specifier.startsWith('.') || !parent.startsWith(PRODUCT)) return null
  if (parent.startsWith(PACKAGES)) return specifier.endsWith('.mjs') ? 'module' : null
  return specifier.endsWith('.ts') ? 'module-typescript' : null
}
