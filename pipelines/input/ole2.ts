const OLE2_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** The container of .xls, and of every Office file with a password. */
export function isOle2(head: Buffer): boolean {
  return head.subarray(0, OLE2_SIGNATURE.length).equals(OLE2_SIGNATURE)
}
