"""What all tests share."""

import signal

# A shell starts background jobs with SIGINT ignored; the tests of interrupts need it.
signal.signal(signal.SIGINT, signal.default_int_handler)
