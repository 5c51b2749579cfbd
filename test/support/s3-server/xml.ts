import { SaxesParser } from 'saxes'

import { S3Problem } from './s3-problem.ts'

type Content = string | number | boolean | undefined | readonly XmlNode[]
export type XmlNode = readonly [name: string, content: Content]

/** Entries without content are left out. */
export function writeXml(root: XmlNode): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeNode(root)}`
}

function writeNode([name, content]: XmlNode): string {
  if (content === undefined) return ''
  const inside = Array.isArray(content) ? content.map(writeNode).join('') : escape(String(content))
  return `<${name}>${inside}</${name}>`
}

function escape(text: string): string {
  return text.replace(/[&<>"\r\n\t]/g, (character) => `&#${character.charCodeAt(0)};`)
}

interface XmlElement {
  readonly name: string
  readonly text: string
  readonly children: readonly XmlElement[]
}

export function readXml(source: string): XmlElement {
  interface Open {
    name: string
    text: string
    children: Open[]
  }
  const top: Open = { name: '', text: '', children: [] }
  const open = [top]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw new S3Problem(400, 'MalformedXML', error.message)
  })
  parser.on('opentag', ({ name }) => {
    const element: Open = { name, text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element) element.text += text
  })
  parser.on('closetag', () => open.pop())
  parser.write(source).close()
  const root = top.children[0]
  if (!root) throw new S3Problem(400, 'MalformedXML')
  return root
}

export const childrenNamed = (element: XmlElement, name: string) =>
  element.children.filter((child) => child.name === name)

export const textOf = (element: XmlElement, name: string) => childrenNamed(element, name)[0]?.text
