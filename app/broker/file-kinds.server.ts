const ZIP = 'PK\u0003\u0004'

/**
 * The kinds of files that the broker sends: the content type, and the first bytes in latin1. An .xls is an OLE2 container, or the XML that
 * Excel 2003 wrote.
 */
export const FILE_KINDS = {
	pdf: { type: 'application/pdf', starts: ['%PDF-'] },
	xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', starts: [ZIP] },
	xls: { type: 'application/vnd.ms-excel', starts: ['\u00D0\u00CF\u0011\u00E0', '<?xml'] },
	zip: { type: 'application/zip', starts: [ZIP] },
} as const satisfies Record<string, { type: string; starts: readonly string[] }>

export type FileKind = keyof typeof FILE_KINDS
