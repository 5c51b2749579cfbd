/** The first bytes of the container of .xls, and of every Office file with a password. */
export const OLE2 = 'd0cf11e0a1b11ae1'
