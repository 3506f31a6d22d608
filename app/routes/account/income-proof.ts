/** The papers that count as proof of income (domain B-10). */
export const INCOME_PROOF =
	'a bank statement of the last 6 months, the ITR acknowledgement, Form 16, a salary slip, a net worth certificate or a demat holding statement (PDF, JPEG or PNG, at most 5\u00A0MB, without a password)'
