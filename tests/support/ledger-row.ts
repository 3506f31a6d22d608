/** An entry of the broker's ledger report, made by hand. `given` has what matters to the test. */
export const makeLedgerRow = <Given extends object>(given: Given) => ({
	VOUCHER_DATE: '2026-06-01',
	VOUCHER_TYPE: 'JOURNAL',
	COCD: 'NSE_CASH',
	SETL_NO: null,
	NARRATION: 'By hand',
	BILL_NO: null,
	...given,
})
