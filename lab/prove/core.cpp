// SPDX-License-Identifier: Apache-2.0
// The nodes of the prover's graphs: how they are hashed, compared and joined; and the bytes of its
// machines. graph.py says what a graph is and what each function means, pcode.py what a cell is;
// core.py compiles this file when it is first needed.
//
// A literal is twice the number of a node, plus one when it is complemented; from STRANGE on it is
// a bit of which nothing is known, without a node.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <time.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace
{

using Lit = int64_t;
using Node = uint32_t;
using Runs = std::array<uint64_t, 8>;
using Table = std::array<uint64_t, 4>; // of at most eight variables
using Further = std::array<Runs, 2>;   // runs beside those of every node
using Lits = std::vector<Lit>;

constexpr int RUNS = 512;
constexpr Lit STRANGE = Lit(1) << 40;
constexpr Lit NONE = -1;

// What bounds the search for equal nodes; graph.py documents them.
constexpr size_t CUT = 8, SUM_STEPS = 400, OPENED = 64, TARGETS = 24;
constexpr int RARE = 24;
constexpr long SMALL = 700, TWIN = 6000;
constexpr size_t LOWEST = 8;  // bits of a counter that are known by truth tables
constexpr size_t WIDEST = 14; // inputs of a function whose whole truth table is looked at

enum Mode { PLAIN, BLIND, VEILED, HINT, HASHED };
enum Method : uint8_t { BY_SUM, BY_TABLE, BY_SOLVER };
const char *const METHODS[] = {"sum", "table", "solver"};

enum Flag : uint8_t {
    PURE = 1,   // hangs on counters alone
    TARGET = 2, // deserves a small query while the graph grows
    CARRY = 4,  // another that does
    AWAY = 8,   // of a counter block of which nothing is wanted
    VEIL = 16,  // an input that stands for a function of counters
    LOW = 32,   // a function of the lowest bits of one counter
    GIVEN = 64  // another literal stands in for it
};

// An error of Python is set.
struct Stop {
};

[[noreturn]] void stop(PyObject *type, const std::string &text)
{
    PyErr_SetString(type, text.c_str());
    throw Stop();
}

PyObject *budget_error; // BudgetError of graph.py

uint64_t mixed(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

template <size_t N> uint64_t digest(const std::array<uint64_t, N> &words)
{
    uint64_t h = N;
    for (uint64_t w : words)
        h = (h ^ w) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return mixed(h);
}

struct Digest {
    template <size_t N> size_t operator()(const std::array<uint64_t, N> &words) const
    {
        return digest(words);
    }
    size_t operator()(const std::pair<Node, Table> &low) const
    {
        return digest(low.second) ^ mixed(low.first);
    }
    size_t operator()(const std::pair<uint32_t, Lit> &step) const
    {
        return mixed(uint64_t(step.second) * 0x9e3779b97f4a7c15u ^ step.first);
    }
    size_t operator()(uint64_t key) const
    {
        return mixed(key);
    }
};

// What nodes share whose values, or their complements, are the same: run 0 is false.
Runs key_of(const Runs &values)
{
    if (!(values[0] & 1))
        return values;
    Runs key;
    for (size_t i = 0; i < key.size(); i++)
        key[i] = ~values[i];
    return key;
}

template <size_t N> std::array<uint64_t, N> flipped(std::array<uint64_t, N> words, bool flip)
{
    if (flip)
        for (uint64_t &w : words)
            w = ~w;
    return words;
}

template <size_t N>
std::array<uint64_t, N> combined(const std::array<uint64_t, N> &p, const std::array<uint64_t, N> &q,
                                 bool sum)
{
    std::array<uint64_t, N> made;
    for (size_t i = 0; i < N; i++)
        made[i] = sum ? p[i] ^ q[i] : p[i] & q[i];
    return made;
}

// The truth table of a variable.
Table table_of(size_t variable)
{
    static const std::array<uint64_t, 6> words{0xaaaaaaaaaaaaaaaau, 0xccccccccccccccccu,
                                               0xf0f0f0f0f0f0f0f0u, 0xff00ff00ff00ff00u,
                                               0xffff0000ffff0000u, 0xffffffff00000000u};
    Table made;
    for (size_t i = 0; i < made.size(); i++)
        made[i] = variable < 6 ? words[variable] : uint64_t(0) - (i >> (variable - 6) & 1);
    return made;
}

// A set of few numbers, ascending.
template <typename T> struct Few {
    std::vector<T> all;

    bool has(T x) const
    {
        return std::binary_search(all.begin(), all.end(), x);
    }
    void add(T x)
    {
        auto at = std::lower_bound(all.begin(), all.end(), x);
        if (at == all.end() || *at != x)
            all.insert(at, x);
    }
    void drop(T x)
    {
        auto at = std::lower_bound(all.begin(), all.end(), x);
        if (at != all.end() && *at == x)
            all.erase(at);
    }
    void toggle(T x)
    {
        auto at = std::lower_bound(all.begin(), all.end(), x);
        if (at != all.end() && *at == x)
            all.erase(at);
        else
            all.insert(at, x);
    }
    bool within(const Few &other) const
    {
        return std::includes(other.all.begin(), other.all.end(), all.begin(), all.end());
    }
    bool meets(const Few &other) const
    {
        for (T x : all)
            if (other.has(x))
                return true;
        return false;
    }
    static Few of(std::vector<T> listed)
    {
        std::sort(listed.begin(), listed.end());
        listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
        return Few{std::move(listed)};
    }
};

// A product as a path of its factors, so that products with the same first ones share them.
struct Step {
    uint32_t before;
    Lit factor;
    Lit made = NONE; // the literal of the product up to here
};

struct Factors {
    Lits listed;
    Few<Lit> set, opposites;
};

struct Join {
    Method method;
    Lit left, right;
};

struct Row {
    uint64_t key;
    Lit held;
};

struct Low {
    Node which; // the counter's first bit
    Table table;
};

class Core
{
  public:
    PyObject *self = nullptr;
    Mode mode = PLAIN;
    bool mixed_ages = false;
    long deep = 0; // nodes down to the inputs in a comparison of whole truth tables
    double deadline = 0;
    size_t most = 0;
    std::vector<long> asked;
    std::vector<Join> joins;
    std::vector<char> kinds;
    std::vector<uint32_t> lefts_, rights_; // literals
    std::vector<uint8_t> flags;
    std::vector<Runs> values;
    std::vector<PyObject *> spoken; // literals as objects of Python, where one was made
    std::vector<Row> rows;
    std::unordered_map<uint64_t, Lit, Digest> pairs;
    std::vector<Step> steps{{0, 0}};
    std::unordered_map<std::pair<Node, Table>, Lit, Digest> by_table;

    Core()
    {
        make('0', 0, 0, Runs{}), list(0);
    }
    ~Core()
    {
        for (PyObject *held : spoken)
            Py_XDECREF(held);
    }
    Core(const Core &) = delete;
    Core &operator=(const Core &) = delete;

    void check()
    {
        timespec now;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        if (double(now.tv_sec) + double(now.tv_nsec) * 1e-9 > deadline)
            stop(budget_error, "the time of the proof is used up");
        if (kinds.size() > most)
            stop(budget_error, "the graph has more than " + std::to_string(most) + " nodes");
        if (PyErr_CheckSignals())
            throw Stop();
    }

    Node make(char kind, Lit a, Lit b, const Runs &runs)
    {
        Node n = Node(kinds.size());
        if (n >> 30)
            stop(budget_error, "the graph has as many nodes as there are numbers for them");
        kinds.push_back(kind);
        lefts_.push_back(uint32_t(a));
        rights_.push_back(uint32_t(b));
        values.push_back(runs);
        next.push_back(0);
        flags.push_back(
            kind == '&' || kind == '^' ? flags[size_t(a >> 1)] & flags[size_t(b >> 1)] & PURE : 0);
        if (n && n % 1024 == 0)
            check();
        return n;
    }

    Lit input(const Runs &runs)
    {
        Node n = make('i', 0, 0, runs);
        list(n);
        return 2 * Lit(n);
    }

    void known_literal(Lit x) const
    {
        if (x < 0 || (x < STRANGE ? size_t(x >> 1) >= kinds.size()
                                  : size_t((x - STRANGE) >> 1) >= halves.size()))
            stop(PyExc_ValueError, std::to_string(x) + " given, a literal of this graph expected");
    }

    bool seen(const Runs &runs) const
    {
        return found(key_of(runs)) != ABSENT;
    }

    Runs value(Lit x) const
    {
        return flipped(values[size_t(x >> 1)], x & 1);
    }

    // Construction

    Lit plain_xor(Lit a, Lit b)
    {
        Lit flip = (a ^ b) & 1;
        a &= ~Lit(1), b &= ~Lit(1);
        if (a == b)
            return flip;
        if (a > b)
            std::swap(a, b);
        if (a == 0)
            return b ^ flip;
        uint64_t key = uint64_t(1) << 63 | uint64_t(a) << 31 | uint64_t(b);
        size_t at = row_of(key);
        if (at != ABSENT)
            return rows[at].held ^ flip;
        Lit made = without(a, b);
        if (made == NONE)
            made =
                joined('^', a, b, combined(values[size_t(a >> 1)], values[size_t(b >> 1)], true));
        keep(key, made);
        return made ^ flip;
    }

    Lit plain_and(Lit a, Lit b)
    {
        if (a > b)
            std::swap(a, b);
        if (a == 0)
            return 0;
        if (a == 1 || a == b)
            return b;
        if ((a ^ b) == 1)
            return 0;
        uint64_t key = uint64_t(a) << 31 | uint64_t(b);
        size_t at = row_of(key);
        if (at != ABSENT)
            return rows[at].held;
        Lit made = joined('&', a, b, combined(value(a), value(b), false));
        keep(key, made);
        return made;
    }

    Lit blind_xor(Lit a, Lit b)
    {
        if (a < STRANGE && b < STRANGE)
            return plain_xor(a, b);
        Lit flip = (a ^ b) & 1;
        a &= ~Lit(1), b &= ~Lit(1);
        if (a == b || !a || !b)
            return a ^ b ^ flip;
        for (int turn = 0; turn < 2; turn++, std::swap(a, b)) {
            if (a < STRANGE)
                continue;
            auto [left, right] = parts(halves[size_t((a - STRANGE) >> 1)]);
            if (b == left || b == right)
                return left ^ right ^ b ^ flip;
        }
        return sum_of(a, b) ^ flip;
    }

    Lit blind_and(Lit a, Lit b)
    {
        if (a < STRANGE && b < STRANGE)
            return plain_and(a, b);
        if (a == 0 || b == 0 || (a ^ b) == 1)
            return 0;
        return b == a || b == 1 ? a : a == 1 ? b : unknown();
    }

    bool pure(Lit x) const
    {
        return flags[size_t(x >> 1)] & PURE;
    }

    Lit make_xor(Lit a, Lit b)
    {
        if (mode != VEILED)
            return blind_xor(a, b);
        if (a < STRANGE && b < STRANGE) {
            if (a < 2 || b < 2 || pure(a) == pure(b))
                return plain_xor(a, b);
            a = veil(a), b = veil(b);
        }
        return blind_xor(a, b);
    }

    Lit make_and(Lit a, Lit b)
    {
        if (mode != VEILED)
            return blind_and(a, b);
        if (a < STRANGE && b < STRANGE) {
            if (a < 2 || b < 2)
                return plain_and(a, b);
            if (pure(a) == pure(b))
                return pure(a) ? product(a, b) : plain_and(a, b);
            a = veil(a), b = veil(b);
        }
        return blind_and(a, b);
    }

    Lit make_or(Lit a, Lit b)
    {
        return make_and(a ^ 1, b ^ 1) ^ 1;
    }

    Lit choose(Lit which, Lit a, Lit b)
    {
        return make_xor(b, make_and(which, make_xor(a, b)));
    }

    std::pair<Lit, Lit> full_add(Lit a, Lit b, Lit carry)
    {
        if (mode == HINT && std::max({a, b, carry}) >= STRANGE) {
            Lit sum = unknown();
            return {sum, unknown()};
        }
        Lit half = make_xor(a, b), sum = make_xor(half, carry), both = make_and(a, b);
        return {sum, make_or(both, make_and(carry, half))};
    }

    Lit stands_for(Lit x) const
    {
        if (!(flags[size_t(x >> 1)] & GIVEN))
            return x;
        return given.at(Node(x >> 1)) ^ (x & 1);
    }

    void aim(const Lits &bits, Flag into)
    {
        for (Lit x : bits) {
            if (x < 2 || x >= STRANGE || flags[size_t(x >> 1)] & into)
                continue;
            Node n = Node(x >> 1);
            flags[n] |= into;
            wanted[key_of(values[n])].push_back(literal_of(n));
        }
    }

    void stand_in(size_t since, const std::vector<std::pair<Lit, Lit>> &listed)
    {
        std::unordered_map<Node, Lit> own;
        for (auto [x, y] : listed)
            if (x != y)
                own[Node(x >> 1)] = y ^ (x & 1);
        for (auto [n, y] : own)
            if (kinds[n] != '&' && kinds[n] != '^')
                stop(PyExc_AssertionError, "an input cannot be replaced");
        for (auto [n, y] : own)
            given[n] = y, flags[n] |= GIVEN;
        for (size_t i = since; i < rows.size(); i++) {
            auto at = own.find(Node(rows[i].held >> 1));
            if (at != own.end())
                rows[i].held = at->second ^ (rows[i].held & 1);
        }
        pairs.clear();
    }

    // Joining

    bool same(Lit x, Lit y, const std::vector<long> &cones, bool whole)
    {
        if (x == y)
            return true;
        if (x >= STRANGE || y >= STRANGE || mode == HASHED)
            return false;
        Method method;
        if (same_sum(x, y))
            method = BY_SUM;
        else if (same_table(x, y) || (mixed_ages && same_below(x, y)) || same_inputs(x, y))
            method = BY_TABLE;
        else if (!cones.empty() && refuted(x, y, cones, whole))
            method = BY_SOLVER;
        else
            return false;
        joins.push_back({method, x, y});
        return true;
    }

    // The nodes of a cone above its inputs, the newest first, and whether all are there.
    bool cone(const std::vector<Node> &roots, long limit, std::vector<Node> &order)
    {
        if (++epoch == 0)
            std::fill(stamps.begin(), stamps.end(), 0), epoch = 1;
        stamps.resize(kinds.size(), 0);
        std::priority_queue<Node> heap;
        for (Node n : roots)
            if (stamps[n] != epoch)
                stamps[n] = epoch, heap.push(n);
        while (!heap.empty() && (limit < 0 || long(order.size()) < limit)) {
            Node n = heap.top();
            heap.pop();
            if (leaf(n))
                continue;
            order.push_back(n);
            for (Node child : {left(n), right(n)})
                if (stamps[child] != epoch)
                    stamps[child] = epoch, heap.push(child);
        }
        for (; !heap.empty(); heap.pop())
            if (!leaf(heap.top()))
                return false;
        return true;
    }

    bool leaf(Node n) const
    {
        return kinds[n] != '&' && kinds[n] != '^';
    }
    Node left(Node n) const
    {
        return Node(lefts_[n] >> 1);
    }
    Node right(Node n) const
    {
        return Node(rights_[n] >> 1);
    }

    // Unknown bits

    // Literals of nodes and of unknown bits in half the room: there may be a hundred million.
    static constexpr uint32_t STRANGER = uint32_t(1) << 31;

    static uint32_t half(Lit x)
    {
        return x < STRANGE ? uint32_t(x) : STRANGER | uint32_t(x - STRANGE);
    }

    static std::pair<Lit, Lit> parts(std::pair<uint32_t, uint32_t> sum)
    {
        auto whole = [](uint32_t x) {
            return x & STRANGER ? STRANGE + Lit(x & ~STRANGER) : Lit(x);
        };
        return {whole(sum.first), whole(sum.second)};
    }

    Lit sum_of(Lit a, Lit b)
    {
        if (halves.size() >> 30)
            stop(budget_error, "the graph has as many unknown bits as there are numbers for them");
        halves.push_back({half(a), half(b)});
        return STRANGE + 2 * Lit(halves.size() - 1);
    }

    Lit unknown()
    {
        return sum_of(0, 0);
    }

    bool lost(const Lits &a, const Lits &b) const
    {
        auto all = [](const Lits &bits) {
            return !bits.empty() && *std::min_element(bits.begin(), bits.end()) >= STRANGE;
        };
        return mode != PLAIN && mode != HASHED && (all(a) || all(b));
    }

    Lits unknowns(size_t count)
    {
        Lits made(count);
        for (Lit &x : made)
            x = unknown();
        return made;
    }

    // Words

    Lits xors(const Lits &a, const Lits &b)
    {
        Lits made(std::min(a.size(), b.size()));
        for (size_t i = 0; i < made.size(); i++)
            made[i] = make_xor(a[i], b[i]);
        return made;
    }

    Lits ands(const Lits &a, const Lits &b, Lit flip)
    {
        Lits made(std::min(a.size(), b.size()));
        auto has = [flip](const Lits &bits) {
            return std::find(bits.begin(), bits.end(), flip) != bits.end();
        };
        if (lost(a, b) && !has(a) && !has(b))
            return unknowns(made.size());
        for (size_t i = 0; i < made.size(); i++)
            made[i] = make_and(a[i] ^ flip, b[i] ^ flip) ^ flip;
        return made;
    }

    Lits ripple(const Lits &a, const Lits &b, Lit carry)
    {
        if (lost(a, b))
            return unknowns(a.size());
        Lits made(a.size());
        for (size_t i = 0; i < a.size(); i++)
            std::tie(made[i], carry) = full_add(a[i], b[i], carry);
        return made;
    }

    Lit carry_out(const Lits &a, const Lits &b, Lit carry)
    {
        for (size_t i = 0; i < a.size(); i++)
            carry = full_add(a[i], b[i], carry).second;
        return carry;
    }

    // Whether the graph has nodes with the values of a + b in all of its runs.
    bool holds_sum(const Lits &a, const Lits &b) const
    {
        for (Lit x : a)
            if (x >= STRANGE)
                return false;
        for (Lit x : b)
            if (x >= STRANGE)
                return false;
        Runs carry{};
        for (size_t i = 0; i < a.size(); i++) {
            Runs x = value(a[i]), y = value(b[i]), half = combined(x, y, true);
            if (!seen(combined(half, carry, true)))
                return false;
            Runs both = combined(x, y, false), over = combined(carry, half, false);
            for (size_t j = 0; j < carry.size(); j++)
                carry[j] = both[j] | over[j];
        }
        return true;
    }

    Lits substituted(const Lits &literals, std::unordered_map<Node, Lit> held, Core &into)
    {
        bool elsewhere = &into != this;
        if (elsewhere)
            held[0] = 0;
        auto of = [&](Lit x) -> Lit {
            auto at = held.find(Node(x >> 1));
            if (at != held.end())
                return at->second ^ (x & 1);
            if (elsewhere)
                stop(PyExc_KeyError, "an input has no literal in the other graph");
            return x;
        };
        std::vector<Node> roots, order;
        for (Lit x : literals)
            roots.push_back(Node(x >> 1));
        cone(roots, -1, order);
        for (size_t i = order.size(); i-- > 0;) {
            Node n = order[i];
            Lit p = of(lefts_[n]), q = of(rights_[n]);
            held[n] = kinds[n] == '^' ? into.make_xor(p, q) : into.make_and(p, q);
        }
        Lits made;
        for (Lit x : literals)
            made.push_back(of(x));
        return made;
    }

    // The values of literals in so many runs, a multiple of 512, with these of inputs; others are
    // 0.
    void simulate(const Lits &literals, const std::unordered_map<Node, const char *> &inputs,
                  size_t runs, const std::vector<char *> &out)
    {
        std::vector<Node> roots, order;
        for (Lit x : literals)
            roots.push_back(Node(x >> 1));
        cone(roots, -1, order);
        std::vector<uint32_t> places(kinds.size(), 0);
        std::vector<Node> leaves;
        uint32_t count = 1; // place 0 is false
        auto see = [&](Node n) {
            if (n && !places[n] && leaf(n)) {
                places[n] = count++;
                leaves.push_back(n);
            }
        };
        for (Node n : roots)
            see(n);
        for (Node n : order)
            see(left(n)), see(right(n));
        for (size_t i = order.size(); i-- > 0;)
            places[order[i]] = count++;
        std::vector<Runs> held(count);
        for (size_t run = 0; run < runs; run += RUNS) {
            for (Node n : leaves) {
                auto given_ = inputs.find(n);
                if (given_ == inputs.end())
                    held[places[n]] = Runs{};
                else
                    std::memcpy(held[places[n]].data(), given_->second + run / 8, sizeof(Runs));
            }
            auto of = [&](Lit x) { return flipped(held[places[size_t(x >> 1)]], x & 1); };
            for (size_t i = order.size(); i-- > 0;) {
                Node n = order[i];
                held[places[n]] = combined(of(lefts_[n]), of(rights_[n]), kinds[n] == '^');
            }
            for (size_t i = 0; i < literals.size(); i++) {
                Runs made = of(literals[i]);
                std::memcpy(out[i] + run / 8, made.data(), sizeof made);
            }
        }
    }

    // Further runs of inputs, which tell apart what a solver would be asked about.
    void look_further(Lit x, const Further &runs)
    {
        further_at[Node(x >> 1)] = uint32_t(further_.size());
        further_.push_back(runs);
    }

    // Behind the veil

    void counted(const Lits &bits)
    {
        for (Lit x : bits)
            flags[size_t(x >> 1)] |= PURE;
    }

    // The lowest bits of a counter are the variables of truth tables.
    void lowest(const Lits &bits)
    {
        Node which = Node(bits[0] >> 1);
        if (flags[which] & LOW)
            return;
        by_table[{which, Table{}}] = 0;
        for (size_t i = 0; i < std::min(LOWEST, bits.size()); i++) {
            Table table = table_of(i);
            low[Node(bits[i] >> 1)] = {which, table};
            flags[size_t(bits[i] >> 1)] |= LOW;
            by_table[{which, table}] = bits[i];
        }
    }

    Lit veil(Lit literal)
    {
        if (literal < 2 || literal >= STRANGE || !pure(literal))
            return literal;
        std::vector<Node> waiting{Node(literal >> 1)};
        std::unordered_map<Node, Lit> twins;
        while (!waiting.empty()) {
            Node n = waiting.back();
            if (veils.count(n)) {
                waiting.pop_back();
                continue;
            }
            if (kinds[n] == 'i' || flags[n] & TARGET) {
                Lit made = stranger(n);
                veils[n] = made;
                continue;
            }
            auto known = twins.find(n);
            Lit other = known == twins.end() ? twins[n] = twin(n) : known->second;
            if (other != NONE) {
                auto at = veils.find(Node(other >> 1));
                if (at != veils.end())
                    veils[n] = at->second ^ (other & 1);
                else
                    waiting.push_back(Node(other >> 1));
                continue;
            }
            size_t before = waiting.size();
            for (Node m : {left(n), right(n)})
                if (!veils.count(m))
                    waiting.push_back(m);
            if (waiting.size() > before)
                continue;
            Lit x = veils[left(n)] ^ (lefts_[n] & 1), y = veils[right(n)] ^ (rights_[n] & 1);
            Lit made = kinds[n] == '^' ? blind_xor(x, y) : blind_and(x, y);
            veils[n] = made;
        }
        return veils[Node(literal >> 1)] ^ (literal & 1);
    }

    Lits factors_of(Lit x)
    {
        const Factors *found = factors(x);
        return found ? found->listed : Lits{};
    }

    const std::unordered_map<Node, Lit> &veiled() const
    {
        return veils;
    }

  private:
    static constexpr size_t ABSENT = size_t(-1);
    std::vector<Node> next;          // the node behind one in the list of those with its values
    std::vector<uint64_t> by_values; // the first of each list: its digest above, its number below
    size_t lists = 0;
    std::unordered_map<Node, Node> lasts; // of lists of two or more
    std::vector<uint32_t> by_key;         // of rows
    std::unordered_map<Runs, Lits, Digest> wanted;
    std::unordered_map<Node, Lit> given;
    std::deque<std::pair<uint32_t, uint32_t>> halves{
        {0, 0}}; // of unknown bits that are a sum, or 0
    std::unordered_map<Node, uint32_t, Digest> further_at;
    std::vector<Further> further_;
    std::vector<uint32_t> stamps;
    std::vector<uint32_t> slots_of_cone; // of nodes in tables of same_inputs
    uint32_t epoch = 0;
    std::unordered_map<Node, Lit> veils;
    std::unordered_map<Node, Low> low;
    std::unordered_map<std::pair<uint32_t, Lit>, uint32_t, Digest> paths;
    std::unordered_map<Lit, uint32_t> product_of; // literal -> its step
    std::unordered_map<Lit, std::unique_ptr<Factors>> opened_up;
    Lits making;          // factors of the product that is being made
    bool partial = false; // whether more are to come

    Lit literal_of(Node n) const
    {
        return 2 * Lit(n) | Lit(values[n][0] & 1);
    }

    // The table of nodes by their values

    size_t slot(const Runs &key) const
    {
        uint64_t tag = digest(key) >> 32;
        size_t mask = by_values.size() - 1, at = size_t(tag * 0x9e3779b1u) & mask;
        while (by_values[at]) {
            if (by_values[at] >> 32 == tag &&
                key_of(values[size_t(Node(by_values[at])) - 1]) == key)
                break;
            at = (at + 1) & mask;
        }
        return at;
    }

    // The first node with these values.
    size_t found(const Runs &key) const
    {
        if (by_values.empty())
            return ABSENT;
        uint64_t held = by_values[slot(key)];
        return held ? size_t(Node(held)) - 1 : ABSENT;
    }

    void list(Node n)
    {
        if (2 * (lists + 1) > by_values.size()) {
            std::vector<uint64_t> old(std::max<size_t>(1024, 2 * by_values.size()), 0);
            old.swap(by_values);
            size_t mask = by_values.size() - 1;
            for (uint64_t held : old) {
                if (!held)
                    continue;
                size_t at = size_t((held >> 32) * 0x9e3779b1u) & mask;
                while (by_values[at])
                    at = (at + 1) & mask;
                by_values[at] = held;
            }
        }
        Runs key = key_of(values[n]);
        size_t at = slot(key);
        if (!by_values[at]) {
            by_values[at] = (digest(key) >> 32) << 32 | (uint64_t(n) + 1);
            lists++;
            return;
        }
        Node first = Node(by_values[at]) - 1;
        auto [last, fresh] = lasts.try_emplace(first, first);
        next[last->second] = n;
        last->second = n;
    }

    // The table of nodes by what they are made of

    size_t place(uint64_t key) const
    {
        size_t mask = by_key.size() - 1, at = size_t(mixed(key)) & mask;
        while (by_key[at] && rows[by_key[at] - 1].key != key)
            at = (at + 1) & mask;
        return at;
    }

    size_t row_of(uint64_t key) const
    {
        if (by_key.empty())
            return ABSENT;
        uint32_t held = by_key[place(key)];
        return held ? held - 1 : ABSENT;
    }

    void keep(uint64_t key, Lit held)
    {
        rows.push_back({key, held});
        if (2 * rows.size() > by_key.size()) {
            by_key.assign(std::max<size_t>(1024, 2 * by_key.size()), 0);
            for (size_t i = 0; i + 1 < rows.size(); i++)
                by_key[place(rows[i].key)] = uint32_t(i + 1);
        }
        by_key[place(key)] = uint32_t(rows.size());
    }

    // What is left of the sum b where a is one of its two terms, or the other way round.
    Lit without(Lit a, Lit b) const
    {
        for (int turn = 0; turn < 2; turn++, std::swap(a, b)) {
            size_t n = size_t(b >> 1);
            if (kinds[n] != '^')
                continue;
            if (lefts_[n] == a)
                return stands_for(rights_[n]);
            if (rights_[n] == a)
                return stands_for(lefts_[n]);
        }
        return NONE;
    }

    Lit joined(char kind, Lit a, Lit b, const Runs &runs)
    {
        if (mode == HINT)
            return 2 * Lit(make(kind, a, b, runs)); // nothing is to be proved there
        if (flags[size_t(a >> 1)] & flags[size_t(b >> 1)] & LOW) {
            const Low &p = low.at(Node(a >> 1)), &q = low.at(Node(b >> 1));
            if (p.which == q.which)
                return joined_low(kind, a, b, runs, p, q);
        }
        Node n = make(kind, a, b, runs);
        Runs key = key_of(runs);
        Lit phase = runs[0] & 1;
        size_t head = found(key);
        if (head == ABSENT) {
            list(n);
            return 2 * Lit(n);
        }
        int ones = 0;
        for (uint64_t w : key)
            ones += __builtin_popcountll(w);
        bool rare = ones < RARE || ones > RUNS - RARE;
        Lits others;
        Node other = Node(head);
        for (size_t i = deep ? 6 : rare ? 1 : 3; i-- > 0;) {
            others.push_back(literal_of(other));
            if (!next[other])
                break;
            other = next[other];
        }
        auto more = wanted.find(key);
        if (more != wanted.end()) {
            size_t before = others.size();
            for (Lit x : more->second) {
                if (others.size() >= before + TARGETS)
                    break;
                if (std::find(others.begin(), others.begin() + long(before), x) ==
                        others.begin() + long(before) &&
                    !apart(2 * Lit(n) | phase, x))
                    others.push_back(x);
            }
        }
        static const std::vector<long> small_cone{SMALL}, none;
        for (Lit x : others) {
            if (mode == VEILED && unlike(n, Node(x >> 1)))
                continue;
            bool small = flags[size_t(x >> 1)] & (TARGET | CARRY);
            if (small && apart(2 * Lit(n) | phase, x))
                continue;
            if (same(2 * Lit(n) | phase, x, small ? small_cone : rare ? none : asked, small))
                return stands_for(x) ^ phase;
        }
        list(n);
        return 2 * Lit(n);
    }

    // Functions of the lowest bits of a counter are told apart by their truth tables.
    Lit joined_low(char kind, Lit a, Lit b, const Runs &runs, Low p, Low q)
    {
        Table table = combined(flipped(p.table, a & 1), flipped(q.table, b & 1), kind == '^');
        Node n = make(kind, a, b, runs);
        low[n] = {p.which, table};
        flags[n] |= LOW;
        Lit phase = table[0] & 1;
        auto [at, fresh] =
            by_table.try_emplace({p.which, flipped(table, phase)}, 2 * Lit(n) | phase);
        if (fresh)
            list(n);
        else
            joins.push_back({BY_TABLE, 2 * Lit(n) | phase, at->second});
        return stands_for(at->second) ^ phase;
    }

    bool same_sum(Lit x, Lit y) const
    {
        Few<Node> left_over;
        left_over.toggle(Node(x >> 1));
        left_over.toggle(Node(y >> 1));
        Lit flip = (x ^ y) & 1;
        for (size_t i = 0; i < SUM_STEPS; i++) {
            left_over.drop(0);
            if (left_over.all.empty())
                return !flip;
            Node n = left_over.all.back();
            if (kinds[n] != '^')
                return false; // an older node does not contain n
            left_over.all.pop_back();
            left_over.toggle(left(n));
            left_over.toggle(right(n));
            flip ^= (lefts_[n] ^ rights_[n]) & 1;
        }
        return false;
    }

    // Open the newest nodes of both cones until they hang on few nodes, and compare there.
    bool same_table(Lit x, Lit y) const
    {
        Few<Node> front;
        front.add(Node(x >> 1));
        front.add(Node(y >> 1));
        std::vector<Node> opened;
        int tests = 0;
        while (opened.size() < OPENED) {
            Node n = front.all.back();
            if (leaf(n))
                break;
            front.all.pop_back();
            opened.push_back(n);
            front.add(left(n));
            front.add(right(n));
            size_t wide = front.all.size();
            if (wide <= CUT && opened.size() >= 3 &&
                (wide <= 4 || opened.size() % 4 == 0 ||
                 std::all_of(front.all.begin(), front.all.end(),
                             [this](Node m) { return leaf(m); }))) {
                if (tables_agree(x, y, front.all, opened))
                    return true;
                if (++tests > 10)
                    break;
            }
            if (wide > 3 * CUT)
                break;
        }
        return false;
    }

    // Open both cones down to nodes that they have in common, whatever their age.
    bool same_below(Lit x, Lit y) const
    {
        Few<Node> roots, a = nearest(Node(x >> 1)), b = nearest(Node(y >> 1)), front, opened;
        roots.add(Node(x >> 1));
        roots.add(Node(y >> 1));
        std::vector<Node> waiting = roots.all;
        while (!waiting.empty()) {
            Node n = waiting.back();
            waiting.pop_back();
            if ((a.has(n) && b.has(n) && !roots.has(n)) || leaf(n))
                front.add(n);
            else if (!opened.has(n)) {
                opened.add(n);
                waiting.push_back(left(n));
                waiting.push_back(right(n));
            }
            if (opened.all.size() > OPENED || front.all.size() > CUT)
                return false;
        }
        std::reverse(opened.all.begin(), opened.all.end());
        return tables_agree(x, y, front.all, opened.all);
    }

    // Whether two functions of few inputs have the same whole truth table.
    bool same_inputs(Lit x, Lit y)
    {
        std::vector<Node> order, inputs;
        if (!deep || !cone({Node(x >> 1), Node(y >> 1)}, deep, order))
            return false;
        std::vector<uint32_t> &at = slots_of_cone;
        at.resize(kinds.size(), 0);
        at[0] = 0;
        auto see = [&](Node n) {
            if (n && leaf(n) && std::find(inputs.begin(), inputs.end(), n) == inputs.end())
                inputs.push_back(n);
        };
        see(Node(x >> 1)), see(Node(y >> 1));
        for (Node n : order) {
            see(left(n)), see(right(n));
            if (inputs.size() > WIDEST)
                return false;
        }
        size_t words = inputs.size() > 6 ? size_t(1) << (inputs.size() - 6) : 1;
        std::vector<uint64_t> made((1 + inputs.size() + order.size()) * words, 0);
        uint32_t used = 1;
        for (size_t i = 0; i < inputs.size(); i++, used++) {
            at[inputs[i]] = used;
            uint64_t low = i < 6 ? table_of(i)[0] : 0;
            for (size_t w = 0; w < words; w++)
                made[used * words + w] = i < 6 ? low : uint64_t(0) - (w >> (i - 6) & 1);
        }
        for (size_t i = order.size(); i-- > 0; used++) {
            Node n = order[i];
            at[n] = used;
            const uint64_t *p = &made[at[left(n)] * words], *q = &made[at[right(n)] * words];
            uint64_t a = uint64_t(0) - (lefts_[n] & 1), b = uint64_t(0) - (rights_[n] & 1);
            for (size_t w = 0; w < words; w++)
                made[used * words + w] =
                    kinds[n] == '^' ? p[w] ^ q[w] ^ a ^ b : (p[w] ^ a) & (q[w] ^ b);
        }
        uint64_t flip = uint64_t(0) - uint64_t((x ^ y) & 1);
        for (size_t w = 0; w < words; w++)
            if (made[at[size_t(x >> 1)] * words + w] !=
                (made[at[size_t(y >> 1)] * words + w] ^ flip))
                return false;
        return true;
    }

    // The nodes of a cone that are nearest to its root.
    Few<Node> nearest(Node n) const
    {
        Few<Node> found_{{n}}, last{{n}};
        while (!last.all.empty() && found_.all.size() < OPENED) {
            Few<Node> children;
            for (Node m : last.all)
                if (!leaf(m))
                    for (Node child : {left(m), right(m)})
                        if (!found_.has(child))
                            children.add(child);
            for (Node m : children.all)
                found_.add(m);
            last = children;
        }
        return found_;
    }

    // Whether x and y are the same function of some nodes; `opened` are those between, the newest
    // first.
    bool tables_agree(Lit x, Lit y, const std::vector<Node> &front,
                      const std::vector<Node> &opened) const
    {
        static const std::array<Table, CUT> variables = [] {
            std::array<Table, CUT> made;
            for (size_t i = 0; i < CUT; i++)
                made[i] = table_of(i);
            return made;
        }();
        std::array<std::pair<Node, Table>, CUT + 1 + OPENED + 1> made;
        size_t count = 0, leaves = 0;
        made[count++] = {0, Table{}};
        for (Node m : front)
            if (m)
                made[count++] = {m, variables[leaves++]};
        auto of = [&](Lit literal) {
            Node n = Node(literal >> 1);
            for (size_t i = count; i-- > 0;)
                if (made[i].first == n)
                    return flipped(made[i].second, literal & 1);
            stop(PyExc_AssertionError, "a cut has a hole");
        };
        for (size_t i = opened.size(); i-- > 0;) {
            Node n = opened[i];
            Table both = combined(of(lefts_[n]), of(rights_[n]), kinds[n] == '^');
            made[count++] = {n, both};
        }
        return of(x) == of(y);
    }

    bool refuted(Lit x, Lit y, const std::vector<long> &cones, bool whole)
    {
        PyObject *limits = PyTuple_New(Py_ssize_t(cones.size()));
        if (!limits)
            throw Stop();
        for (size_t i = 0; i < cones.size(); i++)
            PyTuple_SET_ITEM(limits, Py_ssize_t(i), PyLong_FromLong(cones[i]));
        PyObject *said = PyObject_CallMethod(self, "refuted", "LLNO", (long long)x, (long long)y,
                                             limits, whole ? Py_True : Py_False);
        if (!said)
            throw Stop();
        bool answer = said == Py_True;
        Py_DECREF(said);
        return answer;
    }

    // Where the further runs of a node are; those of other inputs are the runs of every node again.
    uint32_t further(Node n)
    {
        std::vector<Node> waiting{n};
        while (!waiting.empty()) {
            Node m = waiting.back();
            if (further_at.count(m)) {
                waiting.pop_back();
                continue;
            }
            Further made;
            if (leaf(m)) {
                made.fill(values[m]);
            } else {
                auto a = further_at.find(left(m)), b = further_at.find(right(m));
                if (a == further_at.end() || b == further_at.end()) {
                    waiting.push_back(left(m)), waiting.push_back(right(m));
                    continue;
                }
                for (size_t i = 0; i < made.size(); i++)
                    made[i] =
                        combined(flipped(further_[a->second][i], lefts_[m] & 1),
                                 flipped(further_[b->second][i], rights_[m] & 1), kinds[m] == '^');
            }
            waiting.pop_back();
            look_further(2 * Lit(m), made);
        }
        return further_at[n];
    }

    // Whether some further run tells two literals apart.
    bool apart(Lit x, Lit y)
    {
        uint32_t a = further(Node(x >> 1)), b = further(Node(y >> 1));
        for (size_t i = 0; i < further_[a].size(); i++)
            if (further_[a][i] != flipped(further_[b][i], (x ^ y) & 1))
                return true;
        return false;
    }

    // The bit of a counter block that a node equals, which took too much to find before.
    Lit twin(Node n)
    {
        static const std::vector<long> cones{TWIN};
        Lit phase = values[n][0] & 1;
        size_t head = found(key_of(values[n]));
        if (head == ABSENT)
            return NONE;
        for (Node m = Node(head);; m = next[m]) {
            if (flags[m] & TARGET && !apart(2 * Lit(n) | phase, literal_of(m)) &&
                same(2 * Lit(n) | phase, literal_of(m), cones, true))
                return stands_for(literal_of(m)) ^ phase;
            if (!next[m])
                return NONE;
        }
    }

    Lit stranger(Node n)
    {
        if (flags[n] & AWAY)
            return unknown();
        PyObject *said = PyObject_CallMethod(self, "stranger", "L", (long long)n);
        if (!said)
            throw Stop();
        Lit made = PyLong_AsLongLong(said);
        Py_DECREF(said);
        if (made == -1 && PyErr_Occurred())
            throw Stop();
        flags[size_t(made >> 1)] |= VEIL;
        return made;
    }

    // Carries are long products; see Veiled in graph.py.

    bool input_or_low(Lit x) const
    {
        return kinds[size_t(x >> 1)] == 'i' || flags[size_t(x >> 1)] & LOW;
    }

    // Products, or sums with the same term, whose factors are different inputs, or different
    // functions of the lowest bits of counters.
    bool unlike(Node n, Node m)
    {
        if (partial)
            return true; // one of the products on the way to the one that is wanted
        if (kinds[n] != kinds[m])
            return false;
        Lits p, q;
        if (kinds[n] == '&') {
            p = making, q = factors_of(2 * Lit(m));
        } else {
            Lit a = lefts_[n], b = rights_[n], c = lefts_[m], d = rights_[m], x, y;
            if (a == c || a == d)
                x = b, y = c ^ d ^ a;
            else if (b == c || b == d)
                x = a, y = c ^ d ^ b;
            else
                return false;
            p = split_product(x), q = split_product(y);
        }
        Few<Lit> left_over = Few<Lit>::of(p);
        for (Lit x : Few<Lit>::of(q).all)
            left_over.toggle(x);
        return std::all_of(left_over.all.begin(), left_over.all.end(),
                           [this](Lit x) { return input_or_low(x); });
    }

    const Factors *factors(Lit x)
    {
        auto at = product_of.find(x);
        if (at == product_of.end())
            return nullptr;
        std::unique_ptr<Factors> &held = opened_up[x];
        if (!held) {
            held = std::make_unique<Factors>();
            for (uint32_t step = at->second; step; step = steps[step].before)
                held->listed.push_back(steps[step].factor);
            std::reverse(held->listed.begin(), held->listed.end());
            held->set = Few<Lit>::of(held->listed);
            Lits opposites = held->listed;
            for (Lit &p : opposites)
                p ^= 1;
            held->opposites = Few<Lit>::of(opposites);
        }
        return held.get();
    }

    Lits split_product(Lit x)
    {
        const Factors *found_ = factors(x);
        return found_ ? found_->listed : Lits{x};
    }

    // The factors of a product; a bit of a counter block stays whole.
    Lits split(Lit x)
    {
        return flags[size_t(x >> 1)] & TARGET ? Lits{x} : split_product(x);
    }

    // a & b of pure nodes: all products of the same literals are one node, whatever their order.
    Lit product(Lit a, Lit b)
    {
        if (flags[size_t(a >> 1)] & flags[size_t(b >> 1)] & LOW &&
            low.at(Node(a >> 1)).which == low.at(Node(b >> 1)).which)
            return plain_and(a, b);
        uint64_t key = uint64_t(a) << 32 | uint64_t(b);
        auto at = pairs.find(key);
        if (at != pairs.end())
            return stands_for(at->second);
        Lit made = made_of(all_factors(a, b));
        pairs[key] = made;
        return stands_for(made);
    }

    // The factors of a product: inputs, what hangs on the lowest bits alone, and other nodes; 0
    // where they cannot all be true.
    Lits all_factors(Lit a, Lit b)
    {
        Lits listed = split(a), more = split(b);
        listed.insert(listed.end(), more.begin(), more.end());
        Few<Lit> found_ = Few<Lit>::of(listed);
        for (bool again = true; again;) {
            again = false;
            for (Lit &x : found_.all)
                x = stands_for(x);
            found_ = Few<Lit>::of(std::move(found_.all));
            Lits others;
            for (Lit x : found_.all)
                if (!input_or_low(x) && !(flags[size_t(x >> 1)] & TARGET))
                    others.push_back(x);
            for (Lit x : others) {
                found_.drop(x); // nothing is a reason for itself
                Lits given_ = given_others(x, found_);
                for (Lit y : given_)
                    found_.add(y);
                if (given_.size() != 1 || given_[0] != x) {
                    again = true;
                    break;
                }
            }
        }
        for (Lit x : found_.all)
            if (x == 0 || found_.has(x ^ 1))
                return {0};
        std::vector<std::pair<Node, Lit>> lowest_;
        Lits inputs, others;
        for (Lit x : found_.all) {
            if (flags[size_t(x >> 1)] & LOW) {
                Node which = low.at(Node(x >> 1)).which;
                auto at = std::find_if(lowest_.begin(), lowest_.end(),
                                       [which](const auto &one) { return one.first == which; });
                if (at == lowest_.end())
                    at = lowest_.insert(at, {which, 1});
                at->second = plain_and(at->second, x);
            } else {
                (kinds[size_t(x >> 1)] == 'i' ? inputs : others).push_back(x);
            }
        }
        for (auto [which, x] : lowest_) {
            if (x == 0)
                return {0};
            if (x != 1)
                inputs.push_back(x);
        }
        inputs.insert(inputs.end(), others.begin(), others.end());
        return inputs;
    }

    // What a factor is where the others are true: a sum with one of them is its other term, and
    // where a product is not true, what is left of it is not. As factors.
    Lits given_others(Lit x, const Few<Lit> &others)
    {
        size_t n = size_t(x >> 1);
        if (kinds[n] == '^') {
            Lit a = lefts_[n], b = rights_[n];
            for (int turn = 0; turn < 2; turn++, std::swap(a, b)) {
                int known = known_from(a, others);
                if (known >= 0)
                    return split(b ^ (x & 1) ^ known);
            }
        } else if (x & 1) {
            const Factors *made = factors(x ^ 1);
            Lits inner = made ? made->listed : Lits{Lit(lefts_[n]), Lit(rights_[n])};
            Lits left_over;
            for (Lit p : inner) {
                if (others.has(p ^ 1))
                    return {};
                if (!others.has(p))
                    left_over.push_back(p);
            }
            if (left_over.size() < 2)
                return split(left_over.empty() ? 0 : left_over[0] ^ 1);
        }
        return {x};
    }

    // What a literal is where all of some are true, if that is seen at once, else -1.
    int known_from(Lit x, const Few<Lit> &others)
    {
        if (others.has(x))
            return 1;
        if (others.has(x ^ 1))
            return 0;
        for (Lit y : {x, x ^ 1}) {
            const Factors *made = factors(y);
            if (!made)
                continue;
            if (made->set.within(others))
                return x == y;
            if (made->opposites.meets(others))
                return x != y;
            for (Lit p : made->listed)
                if (flags[size_t(p >> 1)] & LOW && excluded(p, others))
                    return x != y;
        }
        return -1;
    }

    // Whether a function of the lowest bits of a counter is false where others of them are true.
    bool excluded(Lit x, const Few<Lit> &others) const
    {
        const Low &p = low.at(Node(x >> 1));
        for (Lit y : others.all) {
            if (!(flags[size_t(y >> 1)] & LOW))
                continue;
            const Low &q = low.at(Node(y >> 1));
            if (p.which == q.which &&
                combined(flipped(p.table, x & 1), flipped(q.table, y & 1), false) == Table{})
                return true;
        }
        return false;
    }

    // The product of literals, of which it takes the first ones first.
    Lit made_of(const Lits &listed)
    {
        if (listed.size() < 2)
            return listed.empty() ? 1 : listed[0];
        uint32_t step = step_to(0, listed[0]);
        Lit made = listed[0];
        for (size_t i = 1; i < listed.size(); i++) {
            step = step_to(step, listed[i]);
            if (steps[step].made != NONE) {
                made = steps[step].made;
                continue;
            }
            making.assign(listed.begin(), listed.begin() + long(i) + 1);
            partial = i + 1 < listed.size();
            made = plain_and(made, listed[i]);
            making.clear(), partial = false;
            if (i + 1 >= LOWEST && kinds[size_t(listed[i] >> 1)] == 'i' &&
                values[size_t(made >> 1)] != Runs{})
                aim({made}, CARRY);
            steps[step].made = made;
            if (made > 1)
                product_of.try_emplace(made, step);
        }
        return made;
    }

    uint32_t step_to(uint32_t before, Lit factor)
    {
        auto [at, fresh] = paths.try_emplace({before, factor}, uint32_t(steps.size()));
        if (fresh)
            steps.push_back({before, factor});
        return at->second;
    }
};

// The type of Python

struct Object {
    PyObject_HEAD Core *core;
};

PyTypeObject *core_type;

Core &core_of(PyObject *self)
{
    return *reinterpret_cast<Object *>(self)->core;
}

Lit number(PyObject *given)
{
    Lit made = PyLong_AsLongLong(given);
    if (made == -1 && PyErr_Occurred())
        throw Stop();
    return made;
}

Lit literal(const Core &core, PyObject *given)
{
    Lit made = number(given);
    core.known_literal(made);
    return made;
}

Lits literals(const Core &core, PyObject *given)
{
    PyObject *fast = PySequence_Fast(given, "a word, a sequence of literals, expected");
    if (!fast)
        throw Stop();
    Py_ssize_t count = PySequence_Fast_GET_SIZE(fast);
    PyObject **items = PySequence_Fast_ITEMS(fast);
    Lits made;
    made.reserve(size_t(count));
    try {
        for (Py_ssize_t i = 0; i < count; i++)
            made.push_back(literal(core, items[i]));
    } catch (Stop &) {
        Py_DECREF(fast);
        throw;
    }
    Py_DECREF(fast);
    return made;
}

// Literals that have nodes: what follows looks at these.
Lits with_nodes(Lits bits)
{
    for (Lit x : bits)
        if (x >= STRANGE)
            stop(PyExc_ValueError, "an unknown bit given, which has no node");
    return bits;
}

Lits same_length(const Core &core, PyObject *given, const Lits &other)
{
    Lits made = literals(core, given);
    if (made.size() != other.size())
        stop(PyExc_ValueError, "a word of " + std::to_string(made.size()) + " bits given, " +
                                   std::to_string(other.size()) + " expected");
    return made;
}

template <typename Made = Runs> Made runs(PyObject *given)
{
    char *data;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(given, &data, &size))
        throw Stop();
    Made made;
    if (size_t(size) != sizeof made)
        stop(PyExc_ValueError, std::to_string(size) + " bytes given, " +
                                   std::to_string(sizeof made) + " of random runs expected");
    std::memcpy(made.data(), data, sizeof made);
    return made;
}

std::vector<long> limits(PyObject *given)
{
    std::vector<long> made;
    PyObject *fast = PySequence_Fast(given, "a sequence of numbers of nodes expected");
    if (!fast)
        throw Stop();
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast); i++)
        made.push_back(PyLong_AsLong(PySequence_Fast_GET_ITEM(fast, i)));
    Py_DECREF(fast);
    if (PyErr_Occurred())
        throw Stop();
    return made;
}

std::vector<Node> nodes(const Core &core, PyObject *given)
{
    std::vector<Node> made;
    PyObject *turn = PyObject_GetIter(given);
    if (!turn)
        throw Stop();
    while (PyObject *item = PyIter_Next(turn)) {
        Lit n = PyLong_AsLongLong(item);
        Py_DECREF(item);
        if (n < 0 || n >= STRANGE || size_t(n) >= core.kinds.size()) {
            Py_DECREF(turn);
            stop(PyExc_ValueError, std::to_string(n) + " given, a node of this graph expected");
        }
        made.push_back(Node(n));
    }
    Py_DECREF(turn);
    if (PyErr_Occurred())
        throw Stop();
    return made;
}

// A literal as an object of Python, which is made once: words share their literals.
PyObject *said(Core &core, Lit x)
{
    const size_t made = 2 * core.kinds.size();
    if (x < 0 || size_t(x) >= made) // unknown, or of nodes that are in Python
        return PyLong_FromLongLong(x);
    if (size_t(x) >= core.spoken.size())
        core.spoken.resize(made, nullptr);
    PyObject *&held = core.spoken[size_t(x)];
    if (!held)
        held = PyLong_FromLongLong(x);
    return held ? Py_NewRef(held) : nullptr;
}

PyObject *said(Core &core, const Lits &bits)
{
    PyObject *made = PyTuple_New(Py_ssize_t(bits.size()));
    for (size_t i = 0; made && i < bits.size(); i++) {
        PyObject *bit = said(core, bits[i]);
        if (!bit)
            Py_CLEAR(made);
        else
            PyTuple_SET_ITEM(made, Py_ssize_t(i), bit);
    }
    return made;
}

PyObject *said(const std::vector<Node> &listed)
{
    PyObject *made = PyList_New(Py_ssize_t(listed.size()));
    for (size_t i = 0; made && i < listed.size(); i++)
        PyList_SET_ITEM(made, Py_ssize_t(i), PyLong_FromLong(listed[i]));
    return made;
}

PyObject *truth(bool x)
{
    return PyBool_FromLong(x);
}

PyObject *done()
{
    return Py_NewRef(Py_None);
}

using Body = PyObject *(*)(Core &, PyObject *const *);

// Calls a function with a fixed number of arguments and turns Stop into an error of Python.
template <Body body, int COUNT>
PyObject *method(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    if (count != COUNT) {
        PyErr_Format(PyExc_TypeError, "%zd arguments given, %d expected", count, COUNT);
        return nullptr;
    }
    try {
        return body(core_of(self), arguments);
    } catch (Stop &) {
    } catch (std::bad_alloc &) {
        PyErr_NoMemory();
    }
    return nullptr;
}

PyObject *do_xor(Core &c, PyObject *const *a)
{
    return said(c, c.make_xor(literal(c, a[0]), literal(c, a[1])));
}

PyObject *do_and(Core &c, PyObject *const *a)
{
    return said(c, c.make_and(literal(c, a[0]), literal(c, a[1])));
}

PyObject *do_or(Core &c, PyObject *const *a)
{
    return said(c, c.make_or(literal(c, a[0]), literal(c, a[1])));
}

PyObject *do_choose(Core &c, PyObject *const *a)
{
    return said(c, c.choose(literal(c, a[0]), literal(c, a[1]), literal(c, a[2])));
}

PyObject *do_dot(Core &c, PyObject *const *a)
{
    PyObject *turn = PyObject_GetIter(a[0]);
    if (!turn)
        throw Stop();
    Lit total = 0;
    try {
        while (PyObject *item = PyIter_Next(turn)) {
            Lits pair;
            try {
                pair = literals(c, item);
                if (pair.size() != 2)
                    stop(PyExc_ValueError, "pairs of literals expected");
                total = c.make_xor(total, c.make_and(pair[0], pair[1]));
            } catch (Stop &) {
                Py_DECREF(item);
                throw;
            }
            Py_DECREF(item);
        }
        if (PyErr_Occurred())
            throw Stop();
    } catch (Stop &) {
        Py_DECREF(turn);
        throw;
    }
    Py_DECREF(turn);
    return said(c, total);
}

PyObject *do_full_add(Core &c, PyObject *const *a)
{
    auto [sum, carry] = c.full_add(literal(c, a[0]), literal(c, a[1]), literal(c, a[2]));
    return said(c, Lits{sum, carry});
}

PyObject *do_xors(Core &c, PyObject *const *a)
{
    return said(c, c.xors(literals(c, a[0]), literals(c, a[1])));
}

PyObject *do_ands(Core &c, PyObject *const *a)
{
    return said(c, c.ands(literals(c, a[0]), literals(c, a[1]), 0));
}

PyObject *do_ors(Core &c, PyObject *const *a)
{
    return said(c, c.ands(literals(c, a[0]), literals(c, a[1]), 1));
}

PyObject *do_chosen(Core &c, PyObject *const *a)
{
    Lit which = literal(c, a[0]);
    Lits yes = literals(c, a[1]), no = same_length(c, a[2], yes);
    for (size_t i = 0; i < yes.size(); i++)
        yes[i] = c.choose(which, yes[i], no[i]);
    return said(c, yes);
}

PyObject *do_ripple(Core &c, PyObject *const *a)
{
    Lits x = literals(c, a[0]), y = same_length(c, a[1], x);
    return said(c, c.ripple(x, y, literal(c, a[2])));
}

PyObject *do_carry_out(Core &c, PyObject *const *a)
{
    Lits x = literals(c, a[0]), y = same_length(c, a[1], x);
    return said(c, c.carry_out(x, y, literal(c, a[2])));
}

PyObject *do_holds_sum(Core &c, PyObject *const *a)
{
    Lits x = literals(c, a[0]), y = same_length(c, a[1], x);
    return truth(c.holds_sum(x, y));
}

PyObject *do_unknown(Core &c, PyObject *const *)
{
    return said(c, c.unknown());
}

PyObject *do_unknowns(Core &c, PyObject *const *a)
{
    return said(c, c.unknowns(size_t(number(a[0]))));
}

PyObject *do_input(Core &c, PyObject *const *a)
{
    return said(c, c.input(runs(a[0])));
}

PyObject *do_value(Core &c, PyObject *const *a)
{
    Lit x = literal(c, a[0]);
    if (x >= STRANGE)
        stop(PyExc_ValueError, "an unknown bit has no values");
    Runs found = c.value(x);
    return PyBytes_FromStringAndSize(reinterpret_cast<const char *>(found.data()), sizeof found);
}

PyObject *do_first(Core &c, PyObject *const *a)
{
    Lits bits = literals(c, a[0]);
    std::vector<uint8_t> bytes((bits.size() + 7) / 8, 0);
    for (size_t i = 0; i < bits.size(); i++) {
        if (bits[i] >= STRANGE)
            stop(PyExc_ValueError, "an unknown bit has no values");
        bytes[i / 8] |= uint8_t(c.value(bits[i])[0] & 1) << i % 8;
    }
    return PyBytes_FromStringAndSize(reinterpret_cast<const char *>(bytes.data()),
                                     Py_ssize_t(bytes.size()));
}

PyObject *do_aim(Core &c, PyObject *const *a)
{
    PyObject *listed = PySequence_List(a[0]);
    if (!listed)
        throw Stop();
    Lits bits;
    try {
        bits = literals(c, listed);
    } catch (Stop &) {
        Py_DECREF(listed);
        throw;
    }
    Py_DECREF(listed);
    c.aim(bits, TARGET);
    return done();
}

PyObject *do_stand_in(Core &c, PyObject *const *a)
{
    std::vector<std::pair<Lit, Lit>> listed;
    PyObject *all = PySequence_List(a[1]);
    if (!all)
        throw Stop();
    try {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(all); i++) {
            Lits pair = literals(c, PyList_GET_ITEM(all, i));
            if (pair.size() != 2 || std::max(pair[0], pair[1]) >= STRANGE)
                stop(PyExc_ValueError, "pairs of literals that have nodes expected");
            listed.push_back({pair[0], pair[1]});
        }
    } catch (Stop &) {
        Py_DECREF(all);
        throw;
    }
    Py_DECREF(all);
    c.stand_in(size_t(number(a[0])), listed);
    return done();
}

PyObject *do_equal(Core &c, PyObject *const *a)
{
    return truth(c.same(literal(c, a[0]), literal(c, a[1]), limits(a[2]), PyObject_IsTrue(a[3])));
}

PyObject *do_cone(Core &c, PyObject *const *a)
{
    std::vector<Node> order;
    bool whole = c.cone(nodes(c, a[0]), a[1] == Py_None ? -1 : long(number(a[1])), order);
    PyObject *listed = said(order);
    if (!listed)
        throw Stop();
    return Py_BuildValue("(NO)", listed, whole ? Py_True : Py_False);
}

// hanging(nodes, others): for each node whether it is one of these or hangs on one; or, where they
// are inputs, on an input that is none of these.
PyObject *do_hanging(Core &c, PyObject *const *a)
{
    int others = PyObject_IsTrue(a[1]);
    if (others < 0)
        throw Stop();
    std::string flags(c.kinds.size(), 0);
    for (Node n : nodes(c, a[0]))
        flags[n] = 1;
    for (Node n = 0; n < flags.size(); n++) {
        if (!c.leaf(n))
            flags[n] |= flags[c.left(n)] | flags[c.right(n)];
        else if (others)
            flags[n] = c.kinds[n] == 'i' && !flags[n];
    }
    return PyBytes_FromStringAndSize(flags.data(), Py_ssize_t(flags.size()));
}

// The clauses that hold of the nodes in a cone; the literals of its roots as a solver has them; the
// node of each variable from 1 on; and whether all of the cone is there.
PyObject *do_clauses(Core &c, PyObject *const *a)
{
    Lits ends = with_nodes(literals(c, a[0]));
    std::vector<Node> roots, order, named{0};
    for (Lit x : ends)
        roots.push_back(Node(x >> 1));
    bool whole = c.cone(roots, long(number(a[1])), order);
    std::unordered_map<Node, long> names{{0, 1}};
    PyObject *clauses = PyList_New(0);
    if (!clauses)
        throw Stop();
    auto name = [&](Lit z) {
        auto [at, fresh] = names.try_emplace(Node(z >> 1), long(named.size()) + 1);
        if (fresh)
            named.push_back(Node(z >> 1));
        return z & 1 ? -at->second : at->second;
    };
    auto clause = [&](std::initializer_list<long> listed) {
        PyObject *made = PyList_New(Py_ssize_t(listed.size()));
        Py_ssize_t i = 0;
        for (long z : listed)
            PyList_SET_ITEM(made, i++, PyLong_FromLong(z));
        PyList_Append(clauses, made);
        Py_DECREF(made);
    };
    clause({-1});
    for (Node n : order) {
        long out = name(2 * Lit(n)), p = name(c.lefts_[n]), q = name(c.rights_[n]);
        if (c.kinds[n] == '&') {
            clause({-out, p}), clause({-out, q}), clause({out, -p, -q});
        } else {
            clause({-out, p, q}), clause({-out, -p, -q});
            clause({out, -p, q}), clause({out, p, -q});
        }
    }
    PyObject *asked = PyList_New(Py_ssize_t(ends.size()));
    for (size_t i = 0; asked && i < ends.size(); i++)
        PyList_SET_ITEM(asked, Py_ssize_t(i), PyLong_FromLong(name(ends[i])));
    PyObject *held = asked ? said(named) : nullptr;
    if (!held || PyErr_Occurred()) {
        Py_DECREF(clauses);
        Py_XDECREF(asked);
        Py_XDECREF(held);
        throw Stop();
    }
    return Py_BuildValue("(NNNO)", clauses, asked, held, whole ? Py_True : Py_False);
}

// A solver has refuted that two literals differ.
PyObject *do_solved(Core &c, PyObject *const *a)
{
    c.joins.push_back({BY_SOLVER, literal(c, a[0]), literal(c, a[1])});
    Py_RETURN_NONE;
}

PyObject *do_node(Core &c, PyObject *const *a)
{
    Lit n = number(a[0]);
    if (n < 0 || size_t(n) >= c.kinds.size())
        stop(PyExc_ValueError, std::to_string(n) + " given, a node of this graph expected");
    return Py_BuildValue("(CLL)", int(c.kinds[size_t(n)]), (long long)c.lefts_[size_t(n)],
                         (long long)c.rights_[size_t(n)]);
}

PyObject *do_substituted(Core &c, PyObject *const *a)
{
    if (!PyDict_Check(a[1]))
        stop(PyExc_TypeError, "a dictionary of places expected");
    if (!PyObject_TypeCheck(a[2], core_type))
        stop(PyExc_TypeError, "a graph expected");
    Core &into = core_of(a[2]);
    std::unordered_map<Node, Lit> held;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(a[1], &at, &key, &value))
        held[Node(number(key))] = literal(into, value);
    return said(c, c.substituted(with_nodes(literals(c, a[0])), std::move(held), into));
}

PyObject *do_simulate(Core &c, PyObject *const *a)
{
    Lits listed = with_nodes(literals(c, a[0]));
    Lit runs = number(a[2]);
    if (!PyDict_Check(a[1]) || runs <= 0 || runs % RUNS)
        stop(PyExc_ValueError, "a dictionary and a multiple of 512 runs expected");
    std::unordered_map<Node, const char *> inputs;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(a[1], &at, &key, &value)) {
        char *data;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(value, &data, &size))
            throw Stop();
        if (size != runs / 8)
            stop(PyExc_ValueError, std::to_string(size) + " bytes given, " +
                                       std::to_string(runs / 8) + " of runs expected");
        inputs[Node(number(key))] = data;
    }
    PyObject *made = PyList_New(Py_ssize_t(listed.size()));
    if (!made)
        throw Stop();
    std::vector<char *> out;
    for (size_t i = 0; i < listed.size(); i++) {
        PyObject *one = PyBytes_FromStringAndSize(nullptr, Py_ssize_t(runs / 8));
        if (!one) {
            Py_DECREF(made);
            throw Stop();
        }
        PyList_SET_ITEM(made, Py_ssize_t(i), one);
        out.push_back(PyBytes_AS_STRING(one));
    }
    c.simulate(listed, inputs, size_t(runs), out);
    return made;
}

PyObject *do_further(Core &c, PyObject *const *a)
{
    Lit x = literal(c, a[0]);
    if (x >= STRANGE || c.kinds[size_t(x >> 1)] != 'i')
        stop(PyExc_ValueError, std::to_string(x) + " given, an input of this graph expected");
    c.look_further(x, runs<Further>(a[1]));
    return done();
}

PyObject *do_counted(Core &c, PyObject *const *a)
{
    c.counted(with_nodes(literals(c, a[0])));
    return done();
}

PyObject *do_lowest(Core &c, PyObject *const *a)
{
    Lits bits = with_nodes(literals(c, a[0]));
    if (bits.empty())
        stop(PyExc_ValueError, "a counter of no bits given");
    c.lowest(bits);
    return done();
}

PyObject *do_pure(Core &c, PyObject *const *a)
{
    for (Lit x : literals(c, a[0]))
        if (x > 1 && (x >= STRANGE || !c.pure(x)))
            return truth(false);
    return truth(true);
}

PyObject *do_veil(Core &c, PyObject *const *a)
{
    return said(c, c.veil(literal(c, a[0])));
}

PyObject *do_hide(Core &c, PyObject *const *a)
{
    for (Node n : nodes(c, a[0]))
        c.flags[n] |= AWAY;
    return done();
}

PyObject *do_veils(Core &c, PyObject *const *)
{
    PyObject *made = PyDict_New();
    for (auto [n, x] : c.veiled()) {
        PyObject *key = PyLong_FromLong(n), *value = PyLong_FromLongLong(x);
        if (made && key && value)
            PyDict_SetItem(made, key, value);
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return made;
}

PyObject *do_behind(Core &c, PyObject *const *a)
{
    for (Node n : nodes(c, a[0]))
        if (c.flags[n] & VEIL)
            return truth(true);
    return truth(false);
}

PyObject *do_factors(Core &c, PyObject *const *a)
{
    return said(c, c.factors_of(literal(c, a[0])));
}

PyObject *do_check(Core &c, PyObject *const *)
{
    c.check();
    return done();
}

PyObject *do_joins(Core &c, PyObject *const *)
{
    PyObject *made = PyList_New(0);
    for (const Join &one : c.joins) {
        PyObject *row =
            Py_BuildValue("(sLL)", METHODS[one.method], (long long)one.left, (long long)one.right);
        if (!made || !row)
            throw Stop();
        PyList_Append(made, row);
        Py_DECREF(row);
    }
    return made;
}

PyObject *do_methods(Core &c, PyObject *const *)
{
    long counts[3] = {0, 0, 0};
    for (const Join &one : c.joins)
        counts[one.method]++;
    return Py_BuildValue("{slslsl}", METHODS[0], counts[0], METHODS[1], counts[1], METHODS[2],
                         counts[2]);
}

PyObject *do_forget(Core &c, PyObject *const *)
{
    c.joins.clear();
    return done();
}

// Cells: what a byte of a machine holds, as a tuple (value, which of its bytes, how many it has). A
// space is a dictionary from places to cells.

struct Cell {
    PyObject *value;
    long at, size;
};

bool cell_of(PyObject *given, Cell &cell)
{
    if (!PyTuple_CheckExact(given) || PyTuple_GET_SIZE(given) != 3) {
        PyErr_SetString(PyExc_TypeError, "a cell expected, a tuple of three");
        return false;
    }
    cell.value = PyTuple_GET_ITEM(given, 0);
    cell.at = PyLong_AsLong(PyTuple_GET_ITEM(given, 1));
    cell.size = PyLong_AsLong(PyTuple_GET_ITEM(given, 2));
    return !PyErr_Occurred();
}

// The cell at a place, borrowed; null where there is none.
PyObject *at_place(PyObject *space, long at)
{
    PyObject *key = PyLong_FromLong(at);
    PyObject *found = key ? PyDict_GetItemWithError(space, key) : nullptr;
    Py_XDECREF(key);
    return found;
}

bool space_and_numbers(PyObject *const *a, Py_ssize_t count, Py_ssize_t expected, long &at,
                       long &size)
{
    if (count != expected || !PyDict_Check(a[0])) {
        PyErr_Format(PyExc_TypeError, "a space and %zd arguments more expected", expected - 1);
        return false;
    }
    at = PyLong_AsLong(a[1]);
    size = PyLong_AsLong(a[count - 1]);
    return !PyErr_Occurred();
}

// put(space, at, value, size): the bytes of a value.
PyObject *put_value(PyObject *, PyObject *const *a, Py_ssize_t count)
{
    long at, size;
    if (!space_and_numbers(a, count, 4, at, size))
        return nullptr;
    for (long i = 0; i < size; i++) {
        PyObject *key = PyLong_FromLong(at + i), *cell = PyTuple_New(3);
        if (cell) {
            PyTuple_SET_ITEM(cell, 0, Py_NewRef(a[2]));
            PyTuple_SET_ITEM(cell, 1, PyLong_FromLong(i));
            PyTuple_SET_ITEM(cell, 2, Py_NewRef(a[3]));
        }
        int failed = !key || !cell || PyDict_SetItem(a[0], key, cell);
        Py_XDECREF(key);
        Py_XDECREF(cell);
        if (failed)
            return nullptr;
    }
    return done();
}

// whole(space, at, size): the value that these bytes are all of, or None.
PyObject *whole_value(PyObject *, PyObject *const *a, Py_ssize_t count)
{
    long at, size;
    if (!space_and_numbers(a, count, 3, at, size))
        return nullptr;
    PyObject *value = nullptr;
    for (long i = 0; i < size; i++) {
        PyObject *found = at_place(a[0], at + i);
        Cell cell;
        if (!found) {
            if (PyErr_Occurred())
                return nullptr;
            return done();
        }
        if (!cell_of(found, cell))
            return nullptr;
        if (i == 0)
            value = cell.value;
        if (cell.value != value || cell.at != i || cell.size != size)
            return done();
    }
    return value ? Py_NewRef(value) : done();
}

// row(space, at, size): the cells of these bytes, or None where one is missing.
PyObject *row_of_cells(PyObject *, PyObject *const *a, Py_ssize_t count)
{
    long at, size;
    if (!space_and_numbers(a, count, 3, at, size))
        return nullptr;
    PyObject *made = PyList_New(size);
    for (long i = 0; made && i < size; i++) {
        PyObject *found = at_place(a[0], at + i);
        if (!found) {
            Py_DECREF(made);
            if (PyErr_Occurred())
                return nullptr;
            return done();
        }
        PyList_SET_ITEM(made, i, Py_NewRef(found));
    }
    return made;
}

// spans(cells): the runs of bytes of one value, each as value, first byte, how many, size.
PyObject *spans_of(PyObject *, PyObject *cells)
{
    PyObject *fast = PySequence_Fast(cells, "a sequence of cells expected");
    if (!fast)
        return nullptr;
    PyObject *made = PyList_New(0);
    Cell first{nullptr, 0, 0};
    long length = 0;
    auto close = [&] {
        if (!made || !length)
            return;
        PyObject *span = Py_BuildValue("(Olll)", first.value, first.at, length, first.size);
        if (!span || PyList_Append(made, span))
            Py_CLEAR(made);
        Py_XDECREF(span);
    };
    for (Py_ssize_t i = 0; made && i < PySequence_Fast_GET_SIZE(fast); i++) {
        Cell cell;
        if (!cell_of(PySequence_Fast_GET_ITEM(fast, i), cell)) {
            Py_CLEAR(made);
        } else if (length && cell.value == first.value && cell.size == first.size &&
                   cell.at == first.at + length) {
            length++;
        } else {
            close();
            first = cell, length = 1;
        }
    }
    close();
    Py_DECREF(fast);
    return made;
}

// The number that bits are; null without an error where one of them is no constant.
PyObject *number_of(const Lits &bits)
{
    std::vector<uint8_t> bytes(bits.size() / 8 + 1, 0);
    for (size_t i = 0; i < bits.size(); i++) {
        if (bits[i] < 0 || bits[i] > 1)
            return nullptr;
        bytes[i / 8] |= uint8_t(bits[i] << i % 8);
    }
    if (bits.size() <= 64) {
        uint64_t number = 0;
        for (size_t i = bytes.size(); i-- > 0;)
            number = i < 8 ? number << 8 | bytes[i] : 0;
        return PyLong_FromUnsignedLongLong(number);
    }
    return PyObject_CallMethod(reinterpret_cast<PyObject *>(&PyLong_Type), "from_bytes", "y#s",
                               reinterpret_cast<const char *>(bytes.data()),
                               Py_ssize_t(bytes.size()), "little");
}

// The number that bits are, or None where one of them is no constant.
PyObject *constant_of(PyObject *, PyObject *bits)
{
    PyObject *fast = PySequence_Fast(bits, "a word, a sequence of literals, expected");
    if (!fast)
        return nullptr;
    Lits made(size_t(PySequence_Fast_GET_SIZE(fast)));
    for (size_t i = 0; i < made.size(); i++)
        made[i] = PyLong_AsLongLong(PySequence_Fast_GET_ITEM(fast, Py_ssize_t(i)));
    Py_DECREF(fast);
    if (PyErr_Occurred())
        return nullptr;
    PyObject *number = number_of(made);
    return number || PyErr_Occurred() ? number : done();
}

// Bytes as words: the literals of cells, and cells of words.

// Adds the literals of bytes [from, from + count) of a value of `size` bytes. `bits` is called for
// a value that is neither a number of at most eight bytes nor a word of at least its bytes.
void add_literals(PyObject *value, long from, long count, long size, PyObject *bits, Lits &made)
{
    if (PyLong_CheckExact(value) && size <= 8) {
        uint64_t low = PyLong_AsUnsignedLongLongMask(value);
        for (long i = 8 * from; i < 8 * (from + count); i++)
            made.push_back(Lit(low >> i & 1));
        return;
    }
    const bool word = PyTuple_CheckExact(value) && PyTuple_GET_SIZE(value) >= 8 * size;
    PyObject *found = word ? Py_NewRef(value) : PyObject_CallFunction(bits, "Ol", value, 8 * size);
    if (!found)
        throw Stop();
    if (!PyTuple_CheckExact(found) || PyTuple_GET_SIZE(found) < 8 * (from + count)) {
        Py_DECREF(found);
        stop(PyExc_TypeError, "fewer bits than a cell has");
    }
    for (long i = 8 * from; i < 8 * (from + count); i++)
        made.push_back(PyLong_AsLongLong(PyTuple_GET_ITEM(found, i)));
    Py_DECREF(found);
    if (PyErr_Occurred())
        throw Stop();
}

bool is_row(PyObject *cells)
{
    return PyList_CheckExact(cells) || PyTuple_CheckExact(cells);
}

// The literals of cells [begin, end) of a row.
Lits of_cells(PyObject *cells, Py_ssize_t begin, Py_ssize_t end, PyObject *bits)
{
    Lits made;
    made.reserve(size_t(8 * (end - begin)));
    Cell first{nullptr, 0, 0};
    long length = 0;
    for (Py_ssize_t i = begin; i < end; i++) {
        Cell cell;
        if (!cell_of(PySequence_Fast_GET_ITEM(cells, i), cell))
            throw Stop();
        if (length && cell.value == first.value && cell.size == first.size &&
            cell.at == first.at + length) {
            length++;
            continue;
        }
        if (length)
            add_literals(first.value, first.at, length, first.size, bits, made);
        first = cell, length = 1;
    }
    if (length)
        add_literals(first.value, first.at, length, first.size, bits, made);
    return made;
}

// flat(cells, bits): bytes as one word.
PyObject *do_flat(Core &c, PyObject *const *a)
{
    if (!is_row(a[0]))
        stop(PyExc_TypeError, "a list of cells expected");
    return said(c, of_cells(a[0], 0, PySequence_Fast_GET_SIZE(a[0]), a[1]));
}

// Lanes of cells, all in lists of the same length.
struct Lanes {
    Core &core;
    Py_ssize_t count = 0, size;
    PyObject *bits, *made;

    Lanes(Core &core_, PyObject *lane, PyObject *bits_)
        : core(core_), size(PyLong_AsLong(lane)), bits(bits_)
    {
        if (size <= 0)
            stop(PyExc_ValueError, "a lane of no bytes given");
        made = PyList_New(0);
        if (!made)
            throw Stop();
    }
    ~Lanes()
    {
        Py_XDECREF(made);
    }
    Lanes(const Lanes &) = delete;
    Lanes &operator=(const Lanes &) = delete;

    void over(PyObject *cells)
    {
        if (!is_row(cells) || PySequence_Fast_GET_SIZE(cells) % size ||
            (count && PySequence_Fast_GET_SIZE(cells) != count * size))
            stop(PyExc_ValueError, "lists of cells that fill as many lanes expected");
        count = PySequence_Fast_GET_SIZE(cells) / size;
    }
    Lits word(PyObject *cells, Py_ssize_t i) const
    {
        return of_cells(cells, i * size, (i + 1) * size, bits);
    }
    // The same for what looks at nodes.
    Lits known_word(PyObject *cells, Py_ssize_t i) const
    {
        Lits found = word(cells, i);
        for (Lit x : found)
            core.known_literal(x);
        return found;
    }
    // The cells of the next lane; a number where all bits are constant.
    void add(const Lits &word)
    {
        PyObject *value = number_of(word);
        if (!value && !PyErr_Occurred())
            value = said(core, word);
        if (!value)
            throw Stop();
        for (Py_ssize_t i = 0; i < size; i++) {
            PyObject *cell = Py_BuildValue("(Onn)", value, i, size);
            int failed = !cell || PyList_Append(made, cell);
            Py_XDECREF(cell);
            if (failed) {
                Py_DECREF(value);
                throw Stop();
            }
        }
        Py_DECREF(value);
    }
    PyObject *done()
    {
        return std::exchange(made, nullptr);
    }
};

// bitwise(what, x, y, lane, bits): lanes of two lists of cells, joined bit by bit.
PyObject *do_bitwise(Core &c, PyObject *const *a)
{
    Py_UCS4 what =
        PyUnicode_Check(a[0]) && PyUnicode_GET_LENGTH(a[0]) == 1 ? PyUnicode_READ_CHAR(a[0], 0) : 0;
    if (what != '^' && what != '&' && what != '|' && what != '~')
        stop(PyExc_ValueError, "one of ^ & | ~ expected");
    Lanes lanes(c, a[3], a[4]);
    lanes.over(a[1]);
    lanes.over(a[2]);
    for (Py_ssize_t i = 0; i < lanes.count; i++) {
        Lits x = lanes.known_word(a[1], i), y = lanes.known_word(a[2], i);
        if (what == '~')
            for (Lit &bit : x)
                bit ^= 1;
        lanes.add(what == '^' ? c.xors(x, y) : c.ands(x, y, what == '|'));
    }
    return lanes.done();
}

// table(products, x, y, z, lane, bits): a function of three bits for lanes of three lists of cells.
// Bit k of `products` is whether it has, as a sum, the product of those of x (4), y (2) and z (1)
// that are in k.
PyObject *do_table(Core &c, PyObject *const *a)
{
    long products = PyLong_AsLong(a[0]);
    Lanes lanes(c, a[4], a[5]);
    for (int i = 1; i < 4; i++)
        lanes.over(a[i]);
    for (Py_ssize_t i = 0; i < lanes.count; i++) {
        const Lits parts[3] = {lanes.known_word(a[3], i), lanes.known_word(a[2], i),
                               lanes.known_word(a[1], i)};
        Lits total(size_t(8 * lanes.size), Lit(products & 1));
        for (int of = 1; of < 8; of++) {
            if (!(products >> of & 1))
                continue;
            Lits term;
            for (int k = 2; k >= 0; k--)
                if (of >> k & 1)
                    term = term.empty() ? parts[k] : c.ands(term, parts[k], 0);
            total = c.xors(total, term);
        }
        lanes.add(total);
    }
    return lanes.done();
}

// shifted(how, by, cells, lane, bits): lanes of cells shifted to the left (<) or right (>), to the
// right with the sign (s), or rotated to the right (o).
PyObject *do_shifted(Core &c, PyObject *const *a)
{
    Py_UCS4 how =
        PyUnicode_Check(a[0]) && PyUnicode_GET_LENGTH(a[0]) == 1 ? PyUnicode_READ_CHAR(a[0], 0) : 0;
    if (how != '<' && how != '>' && how != 's' && how != 'o')
        stop(PyExc_ValueError, "one of < > s o expected");
    Lanes lanes(c, a[3], a[4]);
    lanes.over(a[2]);
    size_t width = size_t(8 * lanes.size);
    size_t given = PyLong_AsSize_t(a[1]);
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError))
            throw Stop();
        PyErr_Clear();
        given = width;
    }
    size_t by = how == 'o' ? given % width : std::min(given, width);
    for (Py_ssize_t i = 0; i < lanes.count; i++) {
        const Lits x = lanes.word(a[2], i);
        Lits made;
        made.reserve(width);
        if (how == '<') {
            made.assign(by, 0);
            made.insert(made.end(), x.begin(), x.end() - long(by));
        } else {
            made.assign(x.begin() + long(by), x.end());
            if (how == 'o')
                made.insert(made.end(), x.begin(), x.begin() + long(by));
            else
                made.insert(made.end(), by, how == 's' ? x.back() : 0);
        }
        lanes.add(made);
    }
    return lanes.done();
}

// place(space, at, cells): these cells from a place on.
PyObject *place_cells(PyObject *, PyObject *const *a, Py_ssize_t count)
{
    if (count != 3 || !PyDict_Check(a[0])) {
        PyErr_SetString(PyExc_TypeError, "a space, a place and cells expected");
        return nullptr;
    }
    long at = PyLong_AsLong(a[1]);
    if (at == -1 && PyErr_Occurred())
        return nullptr;
    PyObject *fast = PySequence_Fast(a[2], "a sequence of cells expected");
    if (!fast)
        return nullptr;
    int failed = 0;
    for (Py_ssize_t i = 0; !failed && i < PySequence_Fast_GET_SIZE(fast); i++) {
        PyObject *key = PyLong_FromLong(at + i);
        failed = !key || PyDict_SetItem(a[0], key, PySequence_Fast_GET_ITEM(fast, i));
        Py_XDECREF(key);
    }
    Py_DECREF(fast);
    return failed ? nullptr : done();
}

#define METHOD(name, body, count)                                                           \
    {                                                                                       \
        name, reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(method<body, count>)), \
            METH_FASTCALL, nullptr                                                          \
    }

PyMethodDef methods[] = {
    METHOD("xor", do_xor, 2),
    METHOD("and_", do_and, 2),
    METHOD("or_", do_or, 2),
    METHOD("choose", do_choose, 3),
    METHOD("dot", do_dot, 1),
    METHOD("full_add", do_full_add, 3),
    METHOD("flat", do_flat, 2),
    METHOD("bitwise", do_bitwise, 5),
    METHOD("table", do_table, 6),
    METHOD("shifted", do_shifted, 5),
    METHOD("xors", do_xors, 2),
    METHOD("ands", do_ands, 2),
    METHOD("ors", do_ors, 2),
    METHOD("chosen", do_chosen, 3),
    METHOD("ripple", do_ripple, 3),
    METHOD("carry_out", do_carry_out, 3),
    METHOD("holds_sum", do_holds_sum, 2),
    METHOD("unknown", do_unknown, 0),
    METHOD("unknowns", do_unknowns, 1),
    METHOD("new_input", do_input, 1),
    METHOD("further", do_further, 2),
    METHOD("runs_of", do_value, 1),
    METHOD("first_run", do_first, 1),
    METHOD("aim", do_aim, 1),
    METHOD("stand_in", do_stand_in, 2),
    METHOD("equal", do_equal, 4),
    METHOD("cone_of", do_cone, 2),
    METHOD("hanging", do_hanging, 2),
    METHOD("clauses", do_clauses, 2),
    METHOD("solved", do_solved, 2),
    METHOD("node", do_node, 1),
    METHOD("put", do_substituted, 3),
    METHOD("simulated", do_simulate, 3),
    METHOD("counted", do_counted, 1),
    METHOD("lowest", do_lowest, 1),
    METHOD("pure", do_pure, 1),
    METHOD("veil", do_veil, 1),
    METHOD("hide", do_hide, 1),
    METHOD("veils", do_veils, 0),
    METHOD("behind_the_veil", do_behind, 1),
    METHOD("factors", do_factors, 1),
    METHOD("check", do_check, 0),
    METHOD("listed_joins", do_joins, 0),
    METHOD("methods", do_methods, 0),
    METHOD("forget_joins", do_forget, 0),
    {nullptr, nullptr, 0, nullptr},
};

PyObject *create(PyTypeObject *type, PyObject *, PyObject *)
{
    PyObject *self = type->tp_alloc(type, 0);
    if (!self)
        return nullptr;
    try {
        reinterpret_cast<Object *>(self)->core = new Core();
    } catch (std::bad_alloc &) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    core_of(self).self = self;
    return self;
}

int initialise(PyObject *self, PyObject *arguments, PyObject *)
{
    int mode;
    if (!PyArg_ParseTuple(arguments, "i", &mode))
        return -1;
    if (mode < PLAIN || mode > HASHED) {
        PyErr_Format(PyExc_ValueError, "mode %d given, 0 to %d expected", mode, int(HASHED));
        return -1;
    }
    core_of(self).mode = Mode(mode);
    return 0;
}

void destroy(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    delete reinterpret_cast<Object *>(self)->core;
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject *get_deadline(PyObject *self, void *)
{
    return PyFloat_FromDouble(core_of(self).deadline);
}
int set_deadline(PyObject *self, PyObject *value, void *)
{
    core_of(self).deadline = PyFloat_AsDouble(value);
    return PyErr_Occurred() ? -1 : 0;
}

PyObject *get_most(PyObject *self, void *)
{
    return PyLong_FromSize_t(core_of(self).most);
}
int set_most(PyObject *self, PyObject *value, void *)
{
    core_of(self).most = PyLong_AsSize_t(value);
    return PyErr_Occurred() ? -1 : 0;
}

PyObject *get_mixed(PyObject *self, void *)
{
    return PyBool_FromLong(core_of(self).mixed_ages);
}
int set_mixed(PyObject *self, PyObject *value, void *)
{
    core_of(self).mixed_ages = PyObject_IsTrue(value);
    return 0;
}

PyObject *get_deep(PyObject *self, void *)
{
    return PyLong_FromLong(core_of(self).deep);
}
int set_deep(PyObject *self, PyObject *value, void *)
{
    core_of(self).deep = PyLong_AsLong(value);
    return PyErr_Occurred() ? -1 : 0;
}

PyObject *get_asked(PyObject *self, void *)
{
    const std::vector<long> &asked = core_of(self).asked;
    return said(core_of(self), Lits(asked.begin(), asked.end()));
}
int set_asked(PyObject *self, PyObject *value, void *)
{
    try {
        core_of(self).asked = limits(value);
    } catch (Stop &) {
        return -1;
    }
    return 0;
}

PyObject *get_size(PyObject *self, void *)
{
    return PyLong_FromSize_t(core_of(self).kinds.size());
}
PyObject *get_rows(PyObject *self, void *)
{
    return PyLong_FromSize_t(core_of(self).rows.size());
}
PyObject *get_products(PyObject *self, void *)
{
    return PyLong_FromSize_t(core_of(self).steps.size());
}
PyObject *get_tables(PyObject *self, void *)
{
    return PyLong_FromSize_t(core_of(self).by_table.size());
}

PyGetSetDef attributes[] = {
    {"deadline", get_deadline, set_deadline, nullptr, nullptr},
    {"most", get_most, set_most, nullptr, nullptr},
    {"mixed", get_mixed, set_mixed, nullptr, nullptr},
    {"deep", get_deep, set_deep, nullptr, nullptr},
    {"asked", get_asked, set_asked, nullptr, nullptr},
    {"size", get_size, nullptr, nullptr, nullptr},
    {"rows", get_rows, nullptr, nullptr, nullptr},
    {"product_steps", get_products, nullptr, nullptr, nullptr},
    {"low_tables", get_tables, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(create)},
    {Py_tp_init, reinterpret_cast<void *>(initialise)},
    {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, nullptr},
};

PyType_Spec type_spec = {"hanji_core.Core", sizeof(Object), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

PyObject *set_budget_error(PyObject *, PyObject *type)
{
    Py_XSETREF(budget_error, Py_NewRef(type));
    return done();
}

// The digits of a number from the lowest on, as a word.
PyObject *number_bits(PyObject *, PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2) {
        PyErr_Format(PyExc_TypeError, "%zd arguments given, 2 expected", count);
        return nullptr;
    }
    long width = PyLong_AsLong(arguments[1]);
    if (width == -1 && PyErr_Occurred())
        return nullptr;
    static PyObject *const zero = PyLong_FromLong(0), *const one = PyLong_FromLong(1);
    PyObject *made = PyTuple_New(width);
    if (!made)
        return nullptr;
    if (width <= 64) {
        uint64_t low = PyLong_AsUnsignedLongLongMask(arguments[0]);
        if (PyErr_Occurred()) {
            Py_DECREF(made);
            return nullptr;
        }
        for (long i = 0; i < width; i++)
            PyTuple_SET_ITEM(made, i, Py_NewRef(low >> i & 1 ? one : zero));
        return made;
    }
    PyObject *rest = Py_NewRef(arguments[0]), *by = PyLong_FromLong(64);
    for (long i = 0; i < width; i += 64) {
        uint64_t low = PyLong_AsUnsignedLongLongMask(rest);
        for (long j = i; j < std::min(i + 64, width); j++)
            PyTuple_SET_ITEM(made, j, Py_NewRef(low >> (j - i) & 1 ? one : zero));
        PyObject *shifted = PyErr_Occurred() ? nullptr : PyNumber_Rshift(rest, by);
        Py_DECREF(rest);
        if (!shifted) {
            Py_DECREF(by);
            Py_DECREF(made);
            return nullptr;
        }
        rest = shifted;
    }
    Py_DECREF(rest);
    Py_DECREF(by);
    return made;
}

#define FUNCTION(name, function)                                                                \
    {                                                                                           \
        name, reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(function)), METH_FASTCALL, \
            nullptr                                                                             \
    }

PyMethodDef functions[] = {
    {"set_budget_error", set_budget_error, METH_O, nullptr},
    {"spans", spans_of, METH_O, nullptr},
    {"constant", constant_of, METH_O, nullptr},
    FUNCTION("number_bits", number_bits),
    FUNCTION("put", put_value),
    FUNCTION("whole", whole_value),
    FUNCTION("row", row_of_cells),
    FUNCTION("place", place_cells),
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "hanji_core",
                          "Nodes of the prover's graphs; see graph.py.",
                          -1,
                          functions,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

} // namespace

PyMODINIT_FUNC PyInit_hanji_core()
{
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return nullptr;
    core_type = reinterpret_cast<PyTypeObject *>(PyType_FromSpec(&type_spec));
    if (!core_type ||
        PyModule_AddObjectRef(module, "Core", reinterpret_cast<PyObject *>(core_type))) {
        Py_DECREF(module);
        return nullptr;
    }
    return module;
}
