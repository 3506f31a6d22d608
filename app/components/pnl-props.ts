import { type ColumnChart } from '~/lib/charts'
import { type KeyFigure } from '~/lib/table'
import { type FailureNotice } from './failed'
import { type LedgerTie } from './pnl-tie'
import { type ReportTableProps } from './report-table'

type TablePart = { table?: Omit<ReportTableProps, 'empty'>; failure?: FailureNotice }

/** What the page of a client and the page of a report link give to the report. */
export type ProfitAndLossProps = {
	year: string
	years: readonly string[]
	path: string
	/** The report link that opened the report, if one did. */
	link?: string
	/** Shown without the shell, so without its year choice and its links to other pages. */
	isAlone: boolean
	filters: { segment: string; q: string }
	segments: readonly { value: string; label: string }[]
	/** The address that starts a new bundle. */
	generate: string
	/** The name of the segment asked for, when the client does not have it. */
	missing?: string
	shown?: {
		summary: TablePart
		/** The broker has no figures by segment, but there are rows, or rows that could not be loaded. */
		isNoneStated: boolean
		rows: { table?: ReportTableProps; failures: readonly { what: string; failure: FailureNotice }[] }
		mismatches: readonly string[]
		months: { chart?: ColumnChart & { note?: string }; failure?: FailureNotice }
		/** `kinds`: the sum of each kind of charge; the last is the sum of all. */
		charges: TablePart & { csv?: string; kinds?: readonly KeyFigure[]; isOpen?: boolean }
		tie: LedgerTie
		/** Only files of data that could be loaded. */
		files: readonly { label: string; href: string; type: string; flag: string }[]
		/** The rows of the table as a file. */
		csv?: { label: string; href: string; type: string; flag: string }
		/** With all segments shown: the files of each segment. */
		ofSegments: readonly { name: string; files: readonly { label: string; about?: string; href: string; type: string; flag: string }[] }[]
		/** Links that choose all segments or one; empty when there is only one. */
		choices: readonly { label: string; href: string; isCurrent: boolean }[]
		/** `at`: the broker's time of the last one, to tell it from the next. */
		bundle?: { href?: string; made?: string; at: string }
	}
}

/** The report, once there is one to show. */
export type Shown = NonNullable<ProfitAndLossProps['shown']>
