#!/usr/bin/perl
# A message centre over Net::SMPP whose phones write: once a client is bound, each text of the file that is named is
# divided into its parts and delivered, and the status of every answer is printed as one JSON object a line.
use strict;
use warnings;
use JSON::PP;
use Net::SMPP;

$| = 1;
$SIG{__WARN__} = sub { print STDERR @_ unless $_[0] =~ /premature eof/ };
open my $file, '<', $ARGV[0] or die "cannot read $ARGV[0]: $!";
my $texts = decode_json(join '', <$file>);
my $listener = Net::SMPP->new_listen('127.0.0.1', port => 0, timeout => undef) or die "cannot listen: $!";
my $json = JSON::PP->new->canonical;
print $json->encode({ event => 'listening', port => $listener->sockport }), "\n";

my $reference = 0;

# How the parts of a text name it; parameters are octets that the caller packs.
sub placed {
    my ($by, $total, $number, $octets) = @_;
    return (short_message => $octets) if $total == 1;
    return (short_message => pack('C6', 5, 0, 3, $reference & 0xff, $total, $number) . $octets, esm_class => 0x40)
        if $by eq 'udh8';
    return (short_message => pack('C3nCC', 6, 8, 4, $reference, $total, $number) . $octets, esm_class => 0x40)
        if $by eq 'udh16';
    return (
        short_message => $octets, sar_msg_ref_num => pack('n', $reference),
        sar_total_segments => pack('C', $total), sar_segment_seqnum => pack('C', $number),
    );
}

sub write_text {
    my ($session, $text) = @_;
    my $octets = pack 'H*', $text->{octets};
    my $total = $text->{parts};
    # An even size: no character of UTF-16 is divided.
    my $size = 2 * int((length($octets) + 2 * $total - 1) / (2 * $total));
    $reference++;
    my @numbers = $text->{backwards} ? reverse(1 .. $total) : 1 .. $total;
    for my $number (@numbers) {
        my %fields = placed($text->{by}, $total, $number, substr $octets, ($number - 1) * $size, $size);
        $fields{message_payload} = delete $fields{short_message} if $text->{payload};
        $session->deliver_sm(
            source_addr_ton => $text->{ton}, source_addr_npi => 1, source_addr => $text->{from},
            dest_addr_ton => 1, dest_addr_npi => 1, destination_addr => $text->{to},
            short_message => '', data_coding => $text->{coding}, %fields, async => 1,
        );
    }
}

my $session = $listener->accept or die "nobody connects: $!";
while (my $pdu = $session->read_pdu) {
    my $command = $pdu->{cmd};
    if ($command == Net::SMPP::CMD_bind_transceiver) {
        $session->bind_transceiver_resp(system_id => 'phones', seq => $pdu->{seq}, status => 0);
        write_text($session, $_) for @$texts;
    }
    elsif ($command == Net::SMPP::CMD_deliver_sm_resp) {
        print $json->encode({ event => 'acknowledged', status => $pdu->{status} }), "\n";
    }
    elsif ($command == Net::SMPP::CMD_enquire_link) { $session->enquire_link_resp(seq => $pdu->{seq}) }
    elsif ($command == Net::SMPP::CMD_unbind) { $session->unbind_resp(seq => $pdu->{seq}) }
}
