/* Checks records/loa6/loa6.certificate with rules of its own: nothing here is shared with Spinney.
 *
 *   cc -O2 -o check_loa6 check_loa6.c -lz && ./check_loa6 loa6.certificate
 *
 * The claim: Black, who moves first, wins Lines of Action on 6x6. The file has Black's move for every
 * position with Black to move in which no move wins at once, in the order of a depth-first walk: a position
 * is entered once, White's replies are tried from the last of the list to the first. Moves are listed by
 * (to, from) with a1 = 0, b1 = 1, ... in rows of 8. A position that is met again while its replies are still
 * being tried would be a circle, and is refused.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { N = 6, BLACK = 0, WHITE = 1 };
typedef struct { uint64_t men[2]; int side; } Position;
typedef struct { int from, to; } Move;

static int inside(int file, int rank) { return file >= 0 && file < N && rank >= 0 && rank < N; }
static int square(int file, int rank) { return 8 * rank + file; }
static int has(uint64_t men, int s) { return men >> s & 1; }

static void refuse(const char *why) { fprintf(stderr, "refused: %s\n", why); exit(1); }

/* One group of men, diagonals included. */
static int connected(uint64_t men) {
    int stack[36], top = 0;
    uint64_t seen = 0;
    for (int s = 0; s < 64 && !top; s++) if (has(men, s)) { stack[top++] = s; seen = 1ull << s; }
    while (top) {
        int s = stack[--top], f = s % 8, r = s / 8;
        for (int df = -1; df <= 1; df++) for (int dr = -1; dr <= 1; dr++) {
            int t = square(f + df, r + dr);
            if (inside(f + df, r + dr) && has(men & ~seen, t)) { seen |= 1ull << t; stack[top++] = t; }
        }
    }
    return seen == men;
}

static int by_number(const void *a, const void *b) {
    const Move *m = a, *n = b;
    return m->to != n->to ? m->to - n->to : m->from - n->from;
}

/* A man moves as many squares as there are men on its line, over its own men but not over others. */
static int moves(const Position *p, Move *list) {
    uint64_t own = p->men[p->side], enemy = p->men[!p->side], all = own | enemy;
    int count = 0;
    for (int s = 0; s < 64; s++) if (has(own, s))
        for (int df = -1; df <= 1; df++) for (int dr = -1; dr <= 1; dr++) if (df || dr) {
            int f = s % 8, r = s / 8, length = 1, blocked = 0;
            for (int k = 1; inside(f + k * df, r + k * dr); k++) length += has(all, square(f + k * df, r + k * dr));
            for (int k = 1; inside(f - k * df, r - k * dr); k++) length += has(all, square(f - k * df, r - k * dr));
            if (!inside(f + length * df, r + length * dr)) continue;
            for (int k = 1; k < length; k++) blocked |= has(enemy, square(f + k * df, r + k * dr));
            int to = square(f + length * df, r + length * dr);
            if (!blocked && !has(own, to)) list[count++] = (Move){ s, to };
        }
    if (!count) list[count++] = (Move){ 255, 255 }; /* a pass */
    qsort(list, count, sizeof *list, by_number);
    return count;
}

static Position play(Position p, Move m) {
    if (m.from != 255) {
        p.men[p.side] = (p.men[p.side] & ~(1ull << m.from)) | 1ull << m.to;
        p.men[!p.side] &= ~(1ull << m.to);
    }
    p.side = !p.side;
    return p;
}

/* 1: Black has won, -1: it has not and the game is over, 0: the game goes on. Both connected is a draw. */
static int result(const Position *p) {
    int black = connected(p->men[BLACK]), white = connected(p->men[WHITE]);
    return white ? -1 : black ? 1 : 0;
}

/* The positions with Black to move that were entered, and whether all replies are answered. */
typedef struct { uint64_t men[2]; char state; } Slot;
static Slot *slots;
static uint64_t mask = (1ull << 22) - 1, entered;
static Slot *find(const Position *p) {
    uint64_t h = (p->men[0] * 0x9e3779b97f4a7c15ull ^ p->men[1]) * 0xbf58476d1ce4e5b9ull;
    for (h ^= h >> 29;; h++) {
        Slot *s = &slots[h & mask];
        if (!s->state || (s->men[0] == p->men[0] && s->men[1] == p->men[1])) return s;
    }
}

static unsigned char *numbers;
static uint64_t length, next;

static void enter(const Position *p);
static void answer(const Position *after) {
    Move list[300];
    for (int k = moves(after, list) - 1; k >= 0; k--) { Position q = play(*after, list[k]); enter(&q); }
}

static void enter(const Position *p) {
    int over = result(p);
    if (over < 0) refuse("a game is not won");
    if (over > 0) return;
    Slot *slot = find(p);
    if (slot->state == 1) refuse("a circle");
    if (slot->state == 2) return;
    Move list[300];
    int count = moves(p, list);
    for (int k = 0; k < count; k++) { Position q = play(*p, list[k]); if (result(&q) > 0) return; }
    if (next == length || numbers[next] >= count) refuse("no legal move");
    Position after = play(*p, list[numbers[next++]]);
    if (result(&after)) refuse("a game is not won");
    if (++entered > mask / 2) refuse("too many positions");
    *slot = (Slot){ { p->men[0], p->men[1] }, 1 };
    answer(&after);
    find(p)->state = 2;
}

int main(int count, char **arguments) {
    static unsigned char file[1 << 24];
    FILE *in = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!in) refuse("usage: check_loa6 FILE");
    size_t size = fread(file, 1, sizeof file, in);
    const char *head = "spinney-certificate 1\ngame: loa6\nposition: 1xxxx1/o4o/o4o/o4o/o4o/1xxxx1 b\nvalue: win\nmoves: ";
    if (size < strlen(head) || memcmp(file, head, strlen(head))) refuse("another claim");
    length = strtoull((char *)file + strlen(head), NULL, 10);
    unsigned char *data = (unsigned char *)strstr((char *)file, "\n\n") + 2;
    numbers = malloc(length + 1);
    slots = calloc(mask + 1, sizeof *slots);
    z_stream z = { .next_in = data, .avail_in = file + size - data, .next_out = numbers, .avail_out = length + 1 };
    if (inflateInit2(&z, -15) != Z_OK || inflate(&z, Z_FINISH) != Z_STREAM_END || z.total_out != length) refuse("damaged");
    Position start = { .side = BLACK };
    for (int k = 1; k < N - 1; k++) {
        start.men[BLACK] |= 1ull << square(k, 0) | 1ull << square(k, N - 1);
        start.men[WHITE] |= 1ull << square(0, k) | 1ull << square(N - 1, k);
    }
    enter(&start);
    if (next != length) refuse("moves are left");
    printf("Black wins: %llu positions checked\n", (unsigned long long)entered);
}
