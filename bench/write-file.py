"""Writes the same rows as write-file.ts with xlsxwriter or reportlab: write-file.py pdf 10000 out.pdf"""

import datetime
import sys

form, count, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
HEADS = ["Date", "Voucher", "Type", "Segment", "Settlement", "Narration", "Debit", "Credit", "Balance"]


def rows():
    running = 0
    for row in range(count):
        paise = 10_000 + (row * 7919) % 5_000_000
        debit, credit = (paise, 0) if row % 2 == 0 else (0, paise)
        running += credit - debit
        day = datetime.date(2025, 4, 1) + datetime.timedelta(days=row // 40)
        words = ["V%d" % (100_000 + row), "Bill", "NSE Cash", "2025%d" % (1000 + row // 40)]
        yield [day, *words, f"Bill for trades, settlement {row}, equity and charges", debit / 100, credit / 100, running / 100]


def write_xlsx():
    import xlsxwriter

    book = xlsxwriter.Workbook(out, {"constant_memory": True})
    sheet = book.add_worksheet("Ledger")
    date, money = book.add_format({"num_format": "dd/mm/yyyy"}), book.add_format({"num_format": "#,##0.00"})
    sheet.write_row(0, 0, HEADS)
    for at, cells in enumerate(rows(), 1):
        sheet.write_datetime(at, 0, datetime.datetime.combine(cells[0], datetime.time()), date)
        for column in range(1, 6):
            sheet.write_string(at, column, cells[column])
        for column in range(6, 9):
            if cells[column] or column == 8:
                sheet.write_number(at, column, cells[column], money)
    book.close()


def write_pdf():
    from reportlab.pdfgen import canvas

    page = canvas.Canvas(out, pagesize=(842, 595), pageCompression=1)
    lefts, rights = [36, 90, 164, 208, 260, 312], [640, 714, 806]
    y = 0
    for cells in rows():
        if y < 42:
            if y:
                page.showPage()
            page.setFont("Helvetica", 8)
            for left, head in zip(lefts + rights, HEADS):
                page.drawString(left, 530, head)
            y = 510
        for left, cell in zip(lefts, [cells[0].strftime("%d/%m/%Y"), *cells[1:6]]):
            page.drawString(left, y, cell)
        for right, cell in zip(rights, cells[6:]):
            if cell:
                page.drawRightString(right, y, f"{cell:,.2f}")
        page.setLineWidth(0.9)
        page.line(36, y - 4, 806, y - 4)
        y -= 15
    page.save()


write_pdf() if form == "pdf" else write_xlsx()
